package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsLandlock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
    @TempDir
    private Path folder;

    @Test
    @NeedsLandlock
    void findsNothingWrongOnACurrentKernel() {
        FakeConsole console = new FakeConsole(folder).with("TMPDIR", folder.toString());

        assertThat(console.run("doctor")).as(console.out()).isZero();
        assertThat(console.out())
                .contains("ok    system", "ok    signals            a signal to another's process was refused")
                .contains("ok    sandbox            files and sockets can be fenced")
                .contains("ok    work folder        " + folder + " is writable")
                .endsWith("0 failed checks, 0 warnings, 14 ok\n");
    }

    @Test
    void aFolderThatIsMissingFailsAndSaysWhatToDo() {
        FakeConsole console = new FakeConsole(folder)
                .with("ARGOCD_CMP_WORKDIR", folder.resolve("none").toString());

        assertThat(console.run("doctor")).isEqualTo(1);
        assertThat(console.out())
                .contains("FAIL  work folder")
                .contains("none is no folder → mount a volume there, or name another by ARGOCD_CMP_WORKDIR");
    }

    @Test
    void tellsTheSameAsJson() {
        FakeConsole console =
                new FakeConsole(folder).with("TMPDIR", folder.toString()).with("PATH", folder.toString());

        assertThat(console.run("doctor", "-o", "json")).isIn(0, 1);
        assertThat(console.out())
                .contains("\"schema\" : \"remora/doctor/v1\"")
                .contains("\"name\" : \"git\",\n    \"result\" : \"warn\"")
                .contains("\"advice\" : \"install git, or give --revision and --repo-url\"");
    }
}
