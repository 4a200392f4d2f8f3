package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import dev.remora.testing.NeedsTool;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server and somebody's clone of it that is ahead.
@NeedsTool("git")
class CheckoutRepositoryTest {
    @TempDir
    private Path root;

    private SourceRepository server;
    private SourceRepository clone;
    private CommitId pushed;
    private CommitId unpushed;

    @BeforeEach
    void makeBoth() {
        server = SourceRepository.in(root.resolve("server"));
        pushed = server.write("f", "pushed").commit("first");
        clone = SourceRepository.in(root.resolve("clone"));
        clone.git("fetch", "-q", server.url(), "main");
        clone.git("reset", "-q", "--hard", "FETCH_HEAD");
        unpushed = clone.write("f", "unpushed").commit("second");
        clone.git("branch", "feature");
        clone.write("f", "not committed");
    }

    private GitRun run() {
        return GitRun.in(
                root.resolve("run"),
                options -> options.withFolders(Map.of(), Map.of(RepositoryUrl.of(server.url()), clone.folder())));
    }

    @Test
    void aNameMeansWhatTheServerSays() throws Exception {
        assertFile("main", "pushed", Resolution.Rule.NAME);
        assertFile("HEAD", "pushed", Resolution.Rule.HEAD);
    }

    @Test
    void whatTheServerDoesNotKnowIsLookedForInTheCheckout() throws Exception {
        assertFile("feature", "unpushed", Resolution.Rule.CHECKOUT);
        assertFile("feature~1", "pushed", Resolution.Rule.CHECKOUT);
    }

    @Test
    void anIdIsTheSameInBoth() throws Exception {
        assertFile(unpushed.hex(), "unpushed", Resolution.Rule.CHECKOUT);
        assertFile(unpushed.hex().substring(0, 9), "unpushed", Resolution.Rule.CHECKOUT);
        assertFile(pushed.hex(), "pushed", Resolution.Rule.CHECKOUT);
    }

    @Test
    void whatNeitherKnowsIsTheServersFault() {
        try (GitRun git = run()) {
            GitRepository repository = git.repository(server.url());

            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> repository.resolve("nowhere", "", new Cancellation()))
                    .matches(fault -> fault.code() == FaultCode.GIT_REVISION);
        }
    }

    @Test
    void runsNoFilterOfTheCheckout() throws Exception {
        Path ran = root.resolve("ran");
        clone.write(".gitattributes", "f filter=x\n").write("f", "filtered").commit("attributes");
        clone.git("config", "filter.x.smudge", "touch " + ran + "; cat");
        clone.git("branch", "filtered");

        assertFile("filtered", "filtered", Resolution.Rule.CHECKOUT);
        assertThat(ran).doesNotExist();
    }

    private void assertFile(String revision, String content, Resolution.Rule rule) throws Exception {
        Map<String, String> before = GitRun.contents(clone.folder());
        try (GitRun git = run()) {
            assertThat(git.repository(server.url())
                            .resolve(revision, "", new Cancellation())
                            .rule())
                    .as(revision)
                    .isEqualTo(rule);
            git.layOut(server.url(), revision);

            assertThat(GitRun.contents(git.folder())).as(revision).containsEntry("f", "644 " + content);
        }
        assertThat(GitRun.contents(clone.folder())).isEqualTo(before);
    }
}
