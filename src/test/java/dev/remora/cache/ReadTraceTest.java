package dev.remora.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What commands really open, on this kernel and the file system of temporary files.
class ReadTraceTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makeTree() throws IOException {
        for (String name : new String[] {
            "apps/one/a.yaml",
            "apps/one/unread",
            "apps/two/b.yaml",
            "lib/common.txt",
            "lib/deep/x.cue",
            "lib/deep/y.cue",
            "lib/other.txt",
            "releases/2/r",
            "run.sh"
        }) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
        Files.createSymbolicLink(folder.resolve("current"), Path.of("releases/2"));
        Files.createSymbolicLink(folder.resolve("unused"), Path.of("apps/two"));
    }

    @Test
    void seesWhatACommandOpensAndNothingElse() throws Exception {
        Reads reads = traced("cat a.yaml ../../lib/common.txt; [ -f ../two/b.yaml ]; echo x > made");

        assertThat(texts(reads.files())).containsExactly("apps/one/a.yaml", "lib/common.txt");
        assertThat(reads.folders()).isEmpty();
        assertThat(reads.gaps()).isEmpty();
        assertThat(texts(reads.all())).contains("apps/one/unread").doesNotContain("apps/one/made");
    }

    @Test
    void seesFoldersThatAreListed() throws Exception {
        Reads reads = traced("ls ../../lib; ls ../..");

        assertThat(texts(reads.folders())).containsExactly("", "lib");
        assertThat(reads.files()).isEmpty();
    }

    @Test
    void findsTheLinksThatLeadToWhatWasOpened() throws Exception {
        Reads reads = traced("cat ../../current/r");

        assertThat(texts(reads.files())).containsExactly("releases/2/r");
        assertThat(texts(reads.links())).containsExactly("current");
    }

    @Test
    void seesAScriptThatIsRun() throws Exception {
        Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\ntrue\n");
        assertThat(folder.resolve("run.sh").toFile().setExecutable(true)).isTrue();

        assertThat(texts(traced("../../run.sh").files())).containsExactly("run.sh");
    }

    @Test
    void keepsUpWithMoreThanTheKernelKeeps() throws Exception {
        for (int i = 0; i < 300; i++) {
            Files.writeString(folder.resolve("apps/one/f" + i), "x");
        }
        Reads reads = traced("for i in 1 2 3 4 5 6 7 8 9 10; do cat f* > /dev/null; done");

        assertThat(reads.files()).hasSize(300);
        assertThat(reads.gaps()).isEmpty();
    }

    @Test
    void tellsWhatItCannotWatch() {
        try (ReadTrace trace =
                ReadTrace.begin(Bytes.utf8(folder.resolve("nowhere").toString()))) {
            Reads reads = trace.end();
            assertThat(reads.files()).isEmpty();
            assertThat(reads.gaps()).containsExactly(". cannot be watched: no such file or directory");
        }
    }

    @Test
    void proposesTheApplicationAndWhatWasReadBesideIt() throws Exception {
        assertThat(proposal("cat a.yaml ../../lib/common.txt"))
                .isEqualTo(new ReadProposal(java.util.List.of("{app}/**", "/lib/common.txt"), ".;/lib/common.txt"));
    }

    @Test
    void proposesAFolderOfWhichEverythingWasRead() throws Exception {
        assertThat(proposal("cat ../../lib/deep/*.cue ../../lib/other.txt").inputs())
                .containsExactly("{app}/**", "/lib/other.txt", "/lib/deep/**");
        assertThat(proposal("find ../../lib -type f").inputs()).containsExactly("{app}/**", "/lib/**");
    }

    @Test
    void proposesAListedFolderWithFilesToCome() throws Exception {
        assertThat(proposal("ls ../../lib >/dev/null; cat ../../lib/common.txt"))
                .isEqualTo(new ReadProposal(java.util.List.of("{app}/**", "/lib/*"), ".;/lib"));
    }

    @Test
    void aListedRootMeansItsOwnFilesOnly() throws Exception {
        assertThat(proposal("ls ../.. >/dev/null; cat ../../run.sh"))
                .isEqualTo(new ReadProposal(java.util.List.of("{app}/**", "/*"), ".;/run.sh"));
    }

    @Test
    void proposesLinksOnTheWay() throws Exception {
        assertThat(proposal("cat ../../current/r").inputs()).containsExactly("{app}/**", "/current", "/releases/2/r");
    }

    @Test
    void quotesWhatWouldBeAWildcard() throws Exception {
        Files.writeString(folder.resolve("lib/a[1]*.txt"), "x");

        assertThat(proposal("cat '../../lib/a[1]*.txt'").inputs()).containsExactly("{app}/**", "/lib/a\\[1]\\*.txt");
    }

    @Test
    void anApplicationAtTheRootGetsWhatItReads() throws Exception {
        Reads reads = traced("cat ../../run.sh ../../lib/deep/x.cue ../../lib/deep/y.cue");

        assertThat(ReadProposal.of(reads, Bytes.utf8(".")))
                .isEqualTo(new ReadProposal(java.util.List.of("/run.sh", "/lib/deep/**"), "/run.sh;/lib/deep"));
    }

    private ReadProposal proposal(String script) throws Exception {
        return ReadProposal.of(traced(script), Bytes.utf8("apps/one"));
    }

    private Reads traced(String script) throws Exception {
        try (ReadTrace trace = ReadTrace.begin(Bytes.utf8(folder.toString()))) {
            Process process = new ProcessBuilder("sh", "-c", script)
                    .directory(folder.resolve("apps/one").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.waitFor();
            return trace.end();
        }
    }

    private static SortedSet<String> texts(SortedSet<Bytes> paths) {
        SortedSet<String> texts = new TreeSet<>();
        paths.forEach(path -> texts.add(path.toString()));
        return texts;
    }
}
