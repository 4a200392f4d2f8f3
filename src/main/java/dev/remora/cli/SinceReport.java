package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationSource;
import dev.remora.archive.EntryFilter;
import dev.remora.cache.Reads;
import dev.remora.git.RevisionTree;
import dev.remora.git.TreeEntry;
import dev.remora.glob.FilePathGlob;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.process.Cancellation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// `explain --since REV`: which files differ from another revision, which of them make Argo CD render again
/// (`manifest-generate-paths`), and which of them the plugin sees (`remora.inputs`) or was seen to open (`--reads`).
final class SinceReport {
    private static final int MOST_SHOWN = 20;

    private final Application application;
    private final ApplicationSource source;
    private final SourceStory story;
    private final ApplicationWork work;

    SinceReport(Application application, int position, SourceStory story, ApplicationWork work) {
        this.application = application;
        this.source = application.sources().get(position);
        this.story = story;
        this.work = work;
    }

    /// The exit code: 1 when the source can render differently.
    int into(String revision, Tree tree, Map<String, Object> json) {
        if (story.tree.isEmpty()) {
            return ExitCode.DONE;
        }
        Cancellation cancellation = work.cancellation();
        RevisionTree before = work.trees().at(source, revision, application.project(), cancellation);
        List<String> changed =
                changed(before.entries(cancellation), story.tree.get().entries(cancellation));
        Predicate<String> asks = asksAgain();
        Predicate<String> seen = seen();
        List<String> matter = changed.stream().filter(seen).toList();
        List<String> asking = changed.stream().filter(asks).toList();
        Tree branch = tree.branch("since " + revision + ": " + changed.size() + " files differ");
        branch.branch(
                asking.isEmpty()
                        ? "Argo CD keeps what it has" + (changed.isEmpty() ? "" : ", by manifest-generate-paths")
                        : "Argo CD renders again because of " + some(asking));
        branch.branch(
                matter.isEmpty()
                        ? "no: nothing differs that the plugin " + how()
                        : "yes: " + some(matter) + " (the plugin " + how() + ")");
        List<String> without = changed.stream().filter(seen.negate()).toList();
        if (!without.isEmpty()) {
            branch.branch("without effect: " + String.join(", ", folders(without)));
        }
        if (asking.isEmpty() && !matter.isEmpty()) {
            branch.branch("warning: the annotation leaves out what the plugin " + how());
        }
        Map<String, Object> since = new LinkedHashMap<>();
        since.put("revision", revision);
        since.put("changed", changed);
        since.put("argocd", asking);
        since.put("causes", matter);
        since.put("by", how());
        json.put("since", since);
        return matter.isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    private static List<String> changed(List<TreeEntry> before, List<TreeEntry> now) {
        Map<Bytes, TreeEntry> old = new HashMap<>();
        before.forEach(entry -> old.put(entry.path(), entry));
        TreeSet<String> changed = new TreeSet<>();
        for (TreeEntry entry : now) {
            TreeEntry was = old.remove(entry.path());
            if (was == null || !was.object().equals(entry.object()) || was.type() != entry.type()) {
                changed.add(entry.path().toString());
            }
        }
        old.keySet().forEach(path -> changed.add(path.toString()));
        return new ArrayList<>(changed);
    }

    /// As Argo CD's controller and webhook judge a changed file (docs/spec/archive.md, section 5): an item counts with
    /// blanks around it removed, for itself, for all below it and as a pattern.
    private Predicate<String> asksAgain() {
        Optional<String> annotation = application.manifestGeneratePaths();
        if (annotation.isEmpty()) {
            return file -> true;
        }
        List<String> items = Stream.of(annotation.get().split(";", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .map(this::place)
                .toList();
        return file -> items.isEmpty() || items.stream().anyMatch(item -> matches(item, file));
    }

    private String place(String item) {
        Bytes place = item.startsWith("/") ? Bytes.utf8(item.substring(1)) : Bytes.utf8(source.path() + "/" + item);
        return LexicalPath.join(Bytes.EMPTY, LexicalPath.parts(LexicalPath.clean(place)))
                .toString();
    }

    private static boolean matches(String item, String file) {
        return item.isEmpty()
                || item.equals(".")
                || file.equals(item)
                || file.startsWith(item + "/")
                || FilePathGlob.match(item, file);
    }

    private Predicate<String> seen() {
        if (story.traced.isPresent()) {
            Reads reads = story.traced.get().reads();
            return file -> reads.files().contains(Bytes.utf8(file))
                    || reads.links().contains(Bytes.utf8(file))
                    || reads.folders().contains(parent(file));
        }
        return SourceReport.definition(story)
                .<Predicate<String>>map(plugin -> {
                    EntryFilter filter =
                            EntryFilter.of(plugin.settings().inputs().patterns(), Bytes.utf8(source.path()));
                    return file -> filter.wants(Bytes.utf8(file));
                })
                .orElse(file -> true);
    }

    private String how() {
        return story.traced.isPresent() ? "opened in this run" : "may see (--reads tells what it opens)";
    }

    private static Bytes parent(String file) {
        int slash = file.lastIndexOf('/');
        return Bytes.utf8(slash < 0 ? "" : file.substring(0, slash));
    }

    private static String some(List<String> files) {
        String some = String.join(", ", files.subList(0, Math.min(MOST_SHOWN, files.size())));
        return files.size() > MOST_SHOWN ? some + " and " + (files.size() - MOST_SHOWN) + " more" : some;
    }

    /// `docs/** (12 files)`
    private static List<String> folders(List<String> files) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String file : files) {
            int slash = file.indexOf('/');
            counts.merge(slash < 0 ? file : file.substring(0, slash) + "/**", 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(entry ->
                        entry.getKey() + (entry.getKey().endsWith("/**") ? " (" + entry.getValue() + " files)" : ""))
                .limit(MOST_SHOWN)
                .toList();
    }
}
