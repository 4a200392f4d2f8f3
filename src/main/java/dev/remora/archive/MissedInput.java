package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.workspace.RootedPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Tells a command that failed because of `remora.inputs` so: it got the ordinary "no such file", and the entry that
/// its words name is in the repository.
///
/// The words are standard error's as the fault holds them, and only lines that speak of something missing count. A name
/// is taken as a path from the application's folder, from the repository's root, from `/`, or, for commands that went
/// elsewhere, as the end of a path.
///
/// @param application where the command ran
public record MissedInput(SkippedNames skipped, RootedPath application) {
    private static final int MOST_WORDS = 200;
    private static final int MOST_TOLD = 3;
    private static final int SHORTEST_END = 3;
    private static final List<String> MISSING = List.of(
            "no such file",
            "not found",
            "notfound",
            "enoent",
            "not exist",
            "n't exist",
            "cannot find",
            "can't find",
            "could not",
            "couldn't",
            "cannot open",
            "can't open",
            "unable to",
            "missing",
            "no match");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s'\"`\u2018\u2019\u201c\u201d(),;:=<>\\[\\]{}|]+");
    private static final Pattern UPWARDS = Pattern.compile("^(\\.{1,2}/)+");

    /// What `work` gives; a fault that it ends with is explained.
    public <T> T explaining(Supplier<T> work) {
        try {
            return work.get();
        } catch (Fault fault) {
            throw explained(fault);
        }
    }

    private Fault explained(Fault fault) {
        String words = fault.problems().getFirst().message();
        Optional<String> sentence = skipped.count() == 0 ? Optional.empty() : sentence(words);
        return sentence.map(more -> fault.reworded(text -> text.equals(words) ? words + more : text))
                .orElse(fault);
    }

    private Optional<String> sentence(String words) {
        TreeSet<Bytes> missed = new TreeSet<>();
        words.lines()
                .filter(MissedInput::speaksOfSomethingMissing)
                .flatMap(BETWEEN_WORDS::splitAsStream)
                .filter(word -> !word.isEmpty())
                .limit(MOST_WORDS)
                .forEach(word -> entry(word).ifPresent(missed::add));
        if (missed.isEmpty()) {
            return Optional.empty();
        }
        List<String> told =
                missed.stream().limit(MOST_TOLD).map(Bytes::toString).toList();
        List<String> patterns =
                missed.stream().limit(MOST_TOLD).map(this::pattern).distinct().toList();
        String separator = words.indexOf('\n') < 0 ? "; " : "\n";
        return Optional.of(separator + String.join(", ", told) + (told.size() == 1 ? " exists" : " exist")
                + " in the repository but not in remora.inputs; add " + String.join(", ", patterns));
    }

    private static boolean speaksOfSomethingMissing(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        return MISSING.stream().anyMatch(lower::contains);
    }

    /// The entry that was left out and that `word` names.
    private Optional<Bytes> entry(String word) {
        Bytes name = Bytes.utf8(word.endsWith(".") ? word.substring(0, word.length() - 1) : word);
        Optional<Bytes> exact = places(name).stream().filter(skipped::contains).findFirst();
        String end = UPWARDS.matcher(name.toString()).replaceFirst("");
        boolean telling = end.length() >= SHORTEST_END && (end.contains("/") || end.contains("."));
        return exact.isPresent() || !telling || LexicalPath.isAbsolute(name)
                ? exact
                : skipped.endingIn(LexicalPath.clean(Bytes.utf8(end)));
    }

    private List<Bytes> places(Bytes name) {
        Bytes root = application.root();
        Stream<Bytes> absolute = LexicalPath.isAbsolute(name)
                ? Stream.of(LexicalPath.clean(name))
                : Stream.of(application.path(), root).map(base -> LexicalPath.clean(base.slash(name)));
        List<Bytes> places = new ArrayList<>();
        absolute.filter(path -> path.startsWith(root.slash(Bytes.EMPTY)))
                .forEach(path -> places.add(path.slice(root.length() + 1, path.length())));
        return places;
    }

    private String pattern(Bytes entry) {
        Bytes root = application.root();
        Bytes folder = application.path().length() > root.length()
                ? application.path().slice(root.length() + 1, application.path().length())
                : Bytes.EMPTY;
        if (folder.isEmpty() || entry.startsWith(folder.slash(Bytes.EMPTY))) {
            return "\"{app}/**\"";
        }
        int slash = entry.lastIndexOf((byte) '/');
        return slash < 0 ? "\"/" + entry + "\"" : "\"/" + entry.slice(0, slash) + "/**\"";
    }
}
