package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsTool("git")
class RevisionTreeTest {
    @TempDir
    private Path root;

    private SourceRepository source;

    @BeforeEach
    void makeSource() {
        source = SourceRepository.in(root.resolve("source"));
    }

    @Test
    void laysOutACommitAsACheckoutDoes() throws IOException {
        source.write("app/config.yaml", "a: 1\n")
                .write("lines.txt", "one\ntwo\n")
                .write("ident.txt", "$Id$\n");
        source.write("kept/secret.txt", "x\n")
                .write(".gitattributes", "lines.txt eol=crlf\nident.txt ident\nkept export-ignore\n");
        Files.createSymbolicLink(source.folder().resolve("link"), Path.of("app/config.yaml"));
        source.write("run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(source.folder().resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        source.commit("first");

        try (GitRun git = GitRun.in(root)) {
            LaidOut laid = git.layOut(source.url(), "main");

            Map<String, String> found = GitRun.contents(git.folder());
            assertThat(found)
                    .containsEntry("app", "755")
                    .containsEntry("app/config.yaml", "644 a: 1\n")
                    .containsEntry("lines.txt", "644 one\r\ntwo\r\n")
                    .containsEntry("kept/secret.txt", "644 x\n")
                    .containsEntry("link", "-> app/config.yaml")
                    .containsEntry("run.sh", "755 #!/bin/sh\n")
                    .doesNotContainKey(".git");
            assertThat(found.get("ident.txt")).startsWith("644 $Id: ");
            assertThat(laid.files()).isEqualTo(7);
            assertThat(laid.linkOutside()).isEmpty();
            assertThat(laid.warnings()).isEmpty();
        }
    }

    @Test
    void writesOnlyWhatDiffersFromTheLastTree() throws IOException {
        for (int i = 0; i < 50; i++) {
            source.write("files/" + i + ".yaml", "n: " + i + "\n");
        }
        source.commit("first");
        source.git("tag", "one");
        source.write("files/7.yaml", "n: seven\n");
        Files.delete(source.folder().resolve("files/8.yaml"));
        source.commit("second");
        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "one");
            Path same = git.folder().resolve("files/6.yaml");
            Object inode = Files.getAttribute(same, "unix:ino");

            git.layOut(source.url(), "main");

            assertThat(Files.getAttribute(same, "unix:ino")).isEqualTo(inode);
            assertThat(git.folder().resolve("files/7.yaml")).hasContent("n: seven");
            assertThat(git.folder().resolve("files/8.yaml")).doesNotExist();
        }
    }

    /// Whatever a plugin does to the tree, the next one that is laid out there is as fresh.
    @Test
    void mendsWhateverACommandDidToTheTree() throws IOException {
        for (int i = 0; i < 12; i++) {
            source.write("d" + i % 3 + "/f" + i + ".yaml", "n: " + i + "\n");
        }
        source.commit("first");
        source.write("d0/f0.yaml", "n: new\n").commit("second");
        Random random = new Random(17);
        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");
            Map<String, String> fresh = GitRun.contents(git.folder());
            for (int round = 0; round < 60; round++) {
                misbehave(git.folder(), random);

                git.layOut(source.url(), "main");

                assertThat(GitRun.contents(git.folder())).as("round " + round).isEqualTo(fresh);
            }
        }
    }

    private static void misbehave(Path tree, Random random) throws IOException {
        int number = random.nextInt(12);
        Path folder = tree.resolve("d" + number % 3);
        Path file = folder.resolve("f" + number + ".yaml");
        switch (random.nextInt(14)) {
            case 0 -> {
                FileTime before = Files.getLastModifiedTime(file);
                Files.writeString(file, "n: " + (char) ('a' + random.nextInt(26)) + "\n");
                Files.setLastModifiedTime(file, before);
            }
            case 1 -> Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            case 2 -> Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-x------"));
            case 3 -> Files.delete(file);
            case 4 -> Files.writeString(folder.resolve("added.yaml"), "x");
            case 5 -> {
                Files.createDirectories(tree.resolve("new/.git/hooks"));
                Files.writeString(tree.resolve("new/.git/HEAD"), "ref: refs/heads/main\n");
            }
            case 6 -> {
                Files.move(file, folder.resolve("moved.yaml"));
                Files.createDirectory(file);
            }
            case 7 -> {
                FileTree.remove(folder);
                Files.createSymbolicLink(folder, Path.of("/etc"));
            }
            case 8 -> Files.writeString(tree.resolve(".gitattributes"), "* eol=crlf\n");
            case 9 -> {
                Files.createDirectory(tree.resolve("locked"));
                Files.setPosixFilePermissions(tree.resolve("locked"), PosixFilePermissions.fromString("---------"));
            }
            case 10 -> Files.createLink(folder.resolve("hard"), file);
            case 11 ->
                Files.createLink(
                        Files.createTempDirectory(tree.getParent(), "out").resolve("hard"), file);
            case 12 -> {
                Files.createDirectories(folder.resolve(".git/hooks"));
                Files.writeString(folder.resolve(".git/HEAD"), "ref: refs/heads/main\n");
            }
            default -> Files.writeString(tree.resolve(".git"), "gitdir: /nowhere\n");
        }
    }

    @Test
    void namesTheFirstLinkThatLeavesTheRepository() throws IOException {
        source.write("a/b/file", "x");
        Files.createSymbolicLink(source.folder().resolve("a/b/inside"), Path.of("../../a/b/file"));
        Files.createSymbolicLink(source.folder().resolve("a/b/back"), Path.of("../../../source/a"));
        Files.createSymbolicLink(source.folder().resolve("z"), Path.of("/etc/passwd"));
        source.commit("links");

        try (GitRun git = GitRun.in(root)) {
            assertThat(git.layOut(source.url(), "HEAD").linkOutside()).contains(Bytes.utf8("a/b/back"));
        }
    }

    @Test
    void givesTheObjectOfAFolderThatChangesOnlyWithItsFiles() {
        source.write("app/x", "1").write("other/y", "1").commit("first");
        source.git("tag", "one");
        source.write("other/y", "2").commit("second");
        Cancellation never = new Cancellation();

        try (GitRun git = GitRun.in(root)) {
            RevisionTree one = git.tree(source.url(), "one");
            RevisionTree main = git.tree(source.url(), "main");

            assertThat(one.objectAt("app", never)).isPresent().isEqualTo(main.objectAt("app", never));
            assertThat(one.objectAt("other", never)).isNotEqualTo(main.objectAt("other", never));
            assertThat(one.objectAt("none", never)).isEmpty();
            assertThat(one.objectAt("--help", never)).isEmpty();
        }
    }

    @Test
    void resolvesTagsAndShortCommitsOfTheHistory() {
        CommitId first = source.write("f", "1").commit("first");
        source.git("tag", "-a", "v1.0.0", "-m", "annotated");
        CommitId second = source.write("f", "2").commit("second");
        source.write("f", "3").commit("third");

        try (GitRun git = GitRun.in(root)) {
            assertThat(git.tree(source.url(), "v1.0.0").commit()).contains(first);
            assertThat(git.tree(source.url(), "^1").commit()).contains(first);
            String shortId = second.hex().substring(0, 9);
            assertThat(git.tree(source.url(), shortId).commit()).contains(second);
            assertThat(git.tree(source.url(), second.hex().toUpperCase(Locale.ROOT))
                            .commit())
                    .contains(second);
            git.layOut(source.url(), shortId);
            assertThat(git.folder().resolve("f")).hasContent("2");
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(source.url(), "abcdef0"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_REVISION))
                    .withMessageContaining("abcdef0");
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(source.url(), "1".repeat(40)))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_REVISION))
                    .withMessageContaining("has no commit 1111");
        }
    }

    @Test
    void followsABranchThatWasForcedElsewhere() {
        source.write("f", "1").commit("first");
        source.write("f", "2").commit("second");
        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");
        }
        source.git("reset", "-q", "--hard", "HEAD~1");
        source.write("f", "3").commit("another second");

        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");

            assertThat(git.folder().resolve("f")).hasContent("3");
        }
    }

    @Test
    void saysThatARepositoryIsEmptyOrAbsent() throws IOException {
        Files.createFile(root.resolve("zero"));
        try (GitRun git = GitRun.in(root)) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.tree(source.url(), "HEAD"))
                    .withMessageContaining("is empty: it has no commit");
            for (String absent : List.of("file:///nowhere/repo", "file://" + root.resolve("zero"))) {
                assertThatExceptionOfType(Fault.class)
                        .isThrownBy(() -> git.tree(absent, "HEAD"))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_ABSENT));
            }
        }
    }

    @Test
    void fetchesOnceForManyThreads() throws Exception {
        source.write("f", "1").commit("first");
        try (GitRun git = GitRun.in(root);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<RevisionTree> task = () -> git.tree(source.url(), "main");

            List<RevisionTree> trees = threads.invokeAll(java.util.Collections.nCopies(50, task)).stream()
                    .map(done -> done.resultNow())
                    .distinct()
                    .toList();

            assertThat(trees).hasSize(1);
        }
    }

    @Test
    void followsNoLinkThatACommandPutInAFoldersPlace() throws IOException {
        source.write("a/b/f", "1").commit("first");
        Path outside = root.resolve("outside");
        Files.createDirectories(outside.resolve("b/.git"));
        Files.setPosixFilePermissions(outside.resolve("b"), PosixFilePermissions.fromString("rwx------"));
        Files.writeString(outside.resolve("b/f"), "theirs");
        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");
            FileTree.remove(git.folder().resolve("a"));
            Files.createSymbolicLink(git.folder().resolve("a"), outside);

            git.layOut(source.url(), "main");

            assertThat(git.folder().resolve("a/b/f")).hasContent("1");
            assertThat(GitRun.contents(outside))
                    .containsEntry("b", "700")
                    .containsKey("b/.git")
                    .containsEntry("b/f", "644 theirs");
        }
    }

    @Test
    void runsNothingThatARepositoryOrAFolderSays() throws IOException {
        source.write("f", "1").commit("first");
        Path proof = root.resolve("proof");
        Path hook = root.resolve("tree/.git/hooks/post-checkout");
        Files.createDirectories(hook.getParent());
        Files.writeString(hook, "#!/bin/sh\ntouch " + proof + "\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(root.resolve("tree/.git/config"), "[core]\n\tfsmonitor = touch " + proof + "\n");
        Files.createDirectories(root.resolve("home"));
        Files.writeString(
                root.resolve("home/.gitconfig"),
                "[core]\n\tfsmonitor = touch " + proof + "\n[filter \"x\"]\n\tsmudge = touch " + proof + "\n");
        source.write(".gitattributes", "* filter=x\n").commit("filter");

        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");

            assertThat(proof).doesNotExist();
            assertThat(git.folder().resolve(".git")).doesNotExist();
            assertThat(git.folder().resolve("f")).hasContent("1");
        }
    }
}
