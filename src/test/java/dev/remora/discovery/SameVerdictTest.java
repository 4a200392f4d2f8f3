package dev.remora.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.archive.UnpackOptions;
import dev.remora.archive.WorkspaceSink;
import dev.remora.fault.Fault;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.workspace.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Property: the names of an archive give the verdict that the unpacked folder gives.
class SameVerdictTest {
    private static final int ARCHIVES = 150;
    private static final int QUESTIONS = 24;

    @TempDir
    private Path temporary;

    @Test
    void namesAndFolderAgreeOnEveryQuestion() throws IOException {
        var differences = new ArrayList<String>();
        Map<String, Integer> answers = new TreeMap<>();
        for (int seed = 0; seed < ARCHIVES; seed++) {
            Bytes folder = Bytes.utf8(
                    Files.createDirectory(temporary.resolve("t" + seed)).toString());
            var trees = new RandomTrees(seed);
            RandomTrees.Archive archive = trees.archive();
            List<Bytes> order = trees.order(archive);
            UnpackOptions options = seed % 2 == 0 ? UnpackOptions.DEFAULT : UnpackOptions.ARGOCD;
            if (!unpacked(archive, order, folder, options)) {
                continue;
            }
            for (int i = 0; i < QUESTIONS; i++) {
                DiscoverRule rule = i % 3 == 0
                        ? new DiscoverRule.FileName(trees.pattern())
                        : new DiscoverRule.FindGlob(trees.pattern());
                Departures departures = i % 2 == 0 ? Departures.NONE_SWITCHED_BACK : Departures.ARGOCD;
                Bytes application = trees.application(archive);
                var matcher = new RepositoryMatcher(Definitions.with(rule), departures, SameVerdictTest::environment);
                String onNames = answer(() -> onNames(matcher, archive, order, application, options));
                String onFolder = answer(() -> onFolder(rule, departures, folder, application));
                answers.merge(onFolder.replaceAll("[ :].*", ""), 1, Integer::sum);
                if (!onNames.equals(onFolder)) {
                    differences.add(archive.entries() + "\n  in order " + order + "\n  asked " + rule + " in "
                            + application + "\n  names: " + onNames + "\n  folder: " + onFolder);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(answers.get("Yes")).isGreaterThan(300);
        assertThat(answers.get("No")).isGreaterThan(300);
        assertThat(answers.get("fault")).isGreaterThan(100);
    }

    private static boolean unpacked(
            RandomTrees.Archive archive, List<Bytes> order, Bytes folder, UnpackOptions options) {
        try (Directory root = Directory.open(folder);
                var sink = new WorkspaceSink(root, folder, options)) {
            archive.into(sink, order);
            return true;
        } catch (Fault | ErrnoException e) {
            return false;
        }
    }

    private static Verdict onNames(
            RepositoryMatcher matcher,
            RandomTrees.Archive archive,
            List<Bytes> order,
            Bytes application,
            UnpackOptions options) {
        try (NameTreeSink sink = matcher.names(application, options)) {
            archive.into(sink, order);
            return matcher.onNames(sink);
        }
    }

    private static Verdict onFolder(DiscoverRule rule, Departures departures, Bytes folder, Bytes application) {
        return new RepositoryMatcher(Definitions.with(rule), departures, SameVerdictTest::environment)
                .onFolder(RootedPath.resolved(folder, application));
    }

    private static String answer(Supplier<Verdict> question) {
        try {
            return switch (question.get()) {
                case Verdict.Yes yes -> "Yes";
                case Verdict.No no -> "No: " + no.reason();
                case Verdict.Unasked unasked -> "Unasked";
            };
        } catch (Fault fault) {
            return "fault: " + fault.getMessage();
        }
    }

    private static String environment(String name) {
        return name.equals("FOO") ? "a" : "";
    }
}
