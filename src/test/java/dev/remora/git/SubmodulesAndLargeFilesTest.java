package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.testing.NeedsTool;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsTool("git")
class SubmodulesAndLargeFilesTest {
    private static final String POINTER = """
            version https://git-lfs.github.com/spec/v1
            oid sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
            size 3
            """;

    @TempDir
    private Path root;

    private SourceRepository withSubmodule(String url) {
        SourceRepository inner = SourceRepository.in(root.resolve("served/inner"));
        CommitId commit = inner.write("deep/f", "inner").commit("first");
        inner.write("deep/f", "newer").commit("second");
        SourceRepository outer = SourceRepository.in(root.resolve("served/outer"));
        outer.write(".gitmodules", "[submodule \"lib\"]\n\tpath = lib/inner\n\turl = " + url + "\n");
        outer.write("f", "outer");
        outer.git("update-index", "--add", "--cacheinfo", "160000," + commit.hex() + ",lib/inner");
        outer.git("add", ".gitmodules", "f");
        outer.git("commit", "-q", "-m", "first");
        return outer;
    }

    @Test
    void laysOutSubmodulesAtTheirCommits() {
        SourceRepository outer = withSubmodule("../inner");
        try (GitRun git = GitRun.in(root)) {
            for (int i = 0; i < 2; i++) { // the second time into the same folder
                git.layOut(outer.url(), "main");

                assertThat(GitRun.contents(git.folder()))
                        .containsEntry("lib/inner/deep/f", "644 inner")
                        .containsOnlyKeys(
                                "", ".gitmodules", "f", "lib", "lib/inner", "lib/inner/deep", "lib/inner/deep/f");
            }
        }
    }

    @Test
    void leavesSubmodulesEmptyWhereTheyAreNotWantedAndSaysSo() {
        SourceRepository outer = withSubmodule("../inner");
        try (GitRun git = GitRun.in(root, options -> options.withContent(false, GitOptions.Lfs.AS_ARGOCD))) {
            LaidOut laid = git.layOut(outer.url(), "main");

            assertThat(laid.warnings()).containsExactly("1 submodules are left empty: lib/inner");
            assertThat(git.folder().resolve("lib/inner")).isEmptyDirectory();
        }
    }

    @Test
    void refusesASubmoduleWhoseUrlIsACommand() {
        SourceRepository outer = withSubmodule("\"--upload-pack=touch /tmp/x\"");
        try (GitRun git = GitRun.in(root)) {
            assertThatExceptionOfType(Fault.class)
                    .isThrownBy(() -> git.layOut(outer.url(), "main"))
                    .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_URL));
        }
    }

    @Test
    void namesPointersOfLargeFiles() {
        SourceRepository source = SourceRepository.in(root.resolve("source"));
        source.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
        source.write("dir/large.bin", POINTER).write("small.txt", "x").commit("first");

        try (GitRun git = GitRun.in(root)) {
            LaidOut laid = git.layOut(source.url(), "main");

            assertThat(laid.pointers()).containsExactly(Bytes.utf8("dir/large.bin"));
            assertThat(laid.warnings()).hasSize(1);
            assertThat(laid.warnings().getFirst()).contains("dir/large.bin").contains("enableLfs");
            assertThat(git.folder().resolve("dir/large.bin")).hasContent(POINTER);
        }
    }

    @Test
    @NeedsTool("git-lfs")
    void fetchesLargeFilesWhereTheyAreWanted() {
        SourceRepository source = SourceRepository.in(root.resolve("source"));
        source.git("config", "filter.lfs.clean", "git-lfs clean -- %f");
        source.git("config", "filter.lfs.required", "true");
        source.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
        source.write("large.bin", "the content").commit("first");
        assertThat(source.git("show", "HEAD:large.bin")).startsWith("version https://git-lfs");

        try (GitRun git = GitRun.in(root, options -> options.withContent(true, GitOptions.Lfs.ALWAYS))) {
            LaidOut laid = git.layOut(source.url(), "main");

            assertThat(git.folder().resolve("large.bin")).hasContent("the content");
            assertThat(laid.pointers()).isEmpty();
            assertThat(laid.warnings()).isEmpty();
        }
    }
}
