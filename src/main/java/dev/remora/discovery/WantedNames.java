package dev.remora.discovery;

import dev.remora.glob.FilePathPattern;
import dev.remora.glob.ZGlob;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Which names of plain files can matter to a rule: those that its last segment can match. Directories and links are
/// kept anyway. Where a plain file of any name can change the answer, all are wanted.
final class WantedNames {

    private WantedNames() {}

    /// Also the names on the way to where a rule begins: that a plain file stands there is told.
    static Predicate<Bytes> of(
            Optional<DiscoverRule> rule, Bytes application, Departures departures, UnaryOperator<String> environment) {
        Set<Bytes> way = new HashSet<>(LexicalPath.parts(application));
        if (rule.isPresent() && rule.get() instanceof DiscoverRule.FindGlob(String pattern)) {
            way.addAll(LexicalPath.parts(Bytes.utf8(pattern)));
        }
        return ofRule(rule, departures, environment).or(way::contains);
    }

    private static Predicate<Bytes> ofRule(
            Optional<DiscoverRule> rule, Departures departures, UnaryOperator<String> environment) {
        if (rule.isEmpty()) {
            return name -> false;
        }
        return switch (rule.get()) {
            case DiscoverRule.FileName(String pattern) -> ofFileName(Bytes.utf8(pattern));
            case DiscoverRule.FindGlob(String pattern) ->
                // Argo CD tells a walk that begins at a file from one that begins nowhere
                departures.asArgoCd(Departure.LITERAL_GLOB)
                        ? WantedNames::any
                        : ofFindGlob(Bytes.utf8(pattern), environment);
            case DiscoverRule.FindCommand command -> name -> false;
        };
    }

    private static Predicate<Bytes> ofFileName(Bytes pattern) {
        List<Bytes> segments = LexicalPath.parts(LexicalPath.clean(pattern));
        boolean wellFormed = segments.stream()
                .allMatch(segment -> FilePathPattern.of(segment).wellFormed());
        if (segments.isEmpty() || LexicalPath.isUp(segments.getLast()) || !wellFormed) {
            return WantedNames::any;
        }
        FilePathPattern last = FilePathPattern.of(segments.getLast());
        return name -> last.match(name) != FilePathPattern.Answer.NO;
    }

    private static Predicate<Bytes> ofFindGlob(Bytes pattern, UnaryOperator<String> environment) {
        List<Bytes> segments = LexicalPath.parts(LexicalPath.clean(pattern));
        boolean variable = pattern.indexOf((byte) '$', 0) >= 0;
        if (segments.isEmpty() || LexicalPath.isUp(segments.getLast()) || variable) {
            return WantedNames::any;
        }
        return new ZGlob(LexicalPath.join(Place.ROOT, segments), environment)
                .nameEnding()
                .<Predicate<Bytes>>map(ending -> name -> endsWith(name, ending))
                .orElse(WantedNames::any);
    }

    private static boolean endsWith(Bytes name, Bytes ending) {
        int from = name.length() - ending.length();
        return from >= 0 && name.slice(from, name.length()).equals(ending);
    }

    private static boolean any(Bytes name) {
        return true;
    }
}
