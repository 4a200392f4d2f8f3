package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsTool("git")
class FolderRepositoryTest {
    private static final String URL = "https://git.example.com/team/app.git";

    @TempDir
    private Path root;

    private GitRun mapped(Path folder) {
        return GitRun.in(root, options -> options.withFolders(Map.of(RepositoryUrl.of(URL), folder)));
    }

    @Test
    void laysOutWhatIsThereAndNotCommittedAndTouchesNothing() throws IOException {
        SourceRepository source = SourceRepository.in(root.resolve("clone"));
        source.write("kept", "1").write("changed", "1").write("removed", "1").write(".gitignore", "*.tmp\n");
        CommitId head = source.commit("first");
        source.write("changed", "2").write("new/file", "x").write("ignored.tmp", "x");
        Files.delete(source.folder().resolve("removed"));
        Map<String, String> before = GitRun.contents(source.folder());

        try (GitRun git = mapped(source.folder())) {
            Resolution resolution = git.repository(URL).resolve("v9", "", new Cancellation());
            git.layOut(URL, "v9");

            assertThat(resolution.commit()).contains(head);
            assertThat(resolution.rule()).isEqualTo(Resolution.Rule.FOLDER);
            assertThat(GitRun.contents(git.folder()))
                    .containsOnlyKeys("", "kept", "changed", "new", "new/file", ".gitignore")
                    .containsEntry("changed", "644 2");
        }
        assertThat(GitRun.contents(source.folder())).isEqualTo(before);
    }

    @Test
    void laysOutAFolderThatIsNoRepository() throws IOException {
        Path folder = Files.createDirectories(root.resolve("plain"));
        Files.writeString(folder.resolve("f"), "1");

        try (GitRun git = mapped(folder)) {
            git.layOut(URL, "HEAD");

            assertThat(GitRun.contents(git.folder())).containsOnlyKeys("", "f");
            assertThat(git.tree(URL, "HEAD").commit()).isEmpty();
        }
    }

    @Test
    void namesTheRootWhereAFolderWithinIsMapped() {
        SourceRepository source = SourceRepository.in(root.resolve("clone"));
        source.write("app/f", "1").commit("first");

        try (GitRun git = mapped(source.folder().resolve("app"))) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.layOut(URL, "HEAD"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_TREE))
                    .withMessageContaining("whose root is " + source.folder());
        }
    }

    @Test
    void heedsWhatTheUserIgnoresEverywhere() throws IOException {
        Files.createDirectories(root.resolve("home/.config/git"));
        Files.writeString(root.resolve("home/.config/git/ignore"), ".idea\n");
        SourceRepository source = SourceRepository.in(root.resolve("clone"));
        source.write("f", "1").write(".idea/x", "1");

        try (GitRun git = mapped(source.folder())) {
            git.layOut(URL, "HEAD");

            assertThat(GitRun.contents(git.folder())).containsOnlyKeys("", "f");
        }
    }

    @Test
    void seesAChangeOfTheSameMomentAndSize() {
        SourceRepository source = SourceRepository.in(root.resolve("clone"));
        source.write("f", "a").commit("first");
        source.write("f", "b");

        try (GitRun git = mapped(source.folder())) {
            git.layOut(URL, "HEAD");

            assertThat(git.folder().resolve("f")).hasContent("b");
        }
    }

    @Test
    void laysOutALinkedWorkTree() {
        SourceRepository source = SourceRepository.in(root.resolve("clone"));
        source.write("f", "1").commit("first");
        source.git("worktree", "add", "-q", "../linked", "-b", "other");

        try (GitRun git = mapped(root.resolve("linked"))) {
            git.layOut(URL, "HEAD");

            assertThat(GitRun.contents(git.folder())).containsOnlyKeys("", "f");
        }
    }
}
