package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.DoubleStarPattern;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which entries of an archive one application gets to see: `remora.inputs`. See `docs/spec/plugin-yaml.md`.
///
/// Besides what the patterns match, the application's folder is always there, and what leads to something wanted:
/// folders, and links on the way that a pattern spells out before its first wildcard.
///
/// @param patterns empty: all entries are wanted
/// @param application the parts of the application's path
/// @param key equal for two filters that let the same entries pass
public record EntryFilter(List<DoubleStarPattern> patterns, List<Bytes> application, Bytes key) {
    public static final EntryFilter ALL = new EntryFilter(List.of(), List.of(), Bytes.EMPTY);

    private static final String APPLICATION = "{app}";
    private static final Bytes LINE = Bytes.utf8("\n");

    public EntryFilter {
        patterns = List.copyOf(patterns);
        application = List.copyOf(application);
    }

    /// The filter of one application.
    ///
    /// @param patterns as `remora.inputs` has them; none: all entries are wanted
    /// @param application the application's path below the root, as a request has it; one that leaves the root is
    ///     refused by who opens it
    public static EntryFilter of(List<String> patterns, Bytes application) {
        if (patterns.isEmpty()) {
            return ALL;
        }
        List<Bytes> folder = LexicalPath.parts(LexicalPath.clean(application)).stream()
                .filter(part -> !LexicalPath.isUp(part))
                .toList();
        List<DoubleStarPattern> all = new ArrayList<>();
        Bytes key = LexicalPath.join(Bytes.EMPTY, folder);
        for (String pattern : patterns) {
            boolean below = pattern.startsWith(APPLICATION);
            String text = below ? pattern.substring(APPLICATION.length()) : pattern;
            all.addAll(DoubleStarPattern.parse(below ? folder : List.of(), Bytes.utf8(text))
                    .orElseThrow(() -> new Fault(
                            FaultCode.CONFIG_INVALID, "remora.inputs has the malformed pattern \"" + pattern + "\"")));
            key = key.plus(LINE).plus(Bytes.utf8(pattern));
        }
        return new EntryFilter(all, folder, key);
    }

    public boolean all() {
        return patterns.isEmpty();
    }

    /// Whether the entry at `path`, relative to the root, is wanted for its own sake.
    public boolean wants(Bytes path) {
        return all() || patterns.stream().anyMatch(pattern -> pattern.matches(LexicalPath.parts(path)));
    }

    /// Whether `path` is the application's folder or above it.
    boolean leadsToApplication(EntryPath path) {
        return isBeginning(path.components(), application);
    }

    /// Whether a link at `path` may lead to something wanted, because a pattern names it on its way.
    boolean isOnTheWay(EntryPath path) {
        return leadsToApplication(path)
                || patterns.stream().anyMatch(pattern -> isBeginning(path.components(), pattern.way()));
    }

    private static boolean isBeginning(List<Bytes> path, List<Bytes> way) {
        return path.size() <= way.size() && way.subList(0, path.size()).equals(path);
    }

    /// A sink that lets only wanted entries pass to `sink`; empty when all are.
    public Optional<NarrowedSink> narrowing(EntrySink sink) {
        return all() ? Optional.empty() : Optional.of(new NarrowedSink(sink, this));
    }
}
