package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Commands that take more than their share: of what has a limit, and of what all renders have in common: the disk,
/// here a small file system of its own, and the numbers of processes.
@EnabledOnOs(OS.LINUX)
@NeedsRoot
@NeedsLandlock
class EscapeLimitsTest {
    private static final String LIMITED = """
            remora:
              sandbox: {}
              limits: {fileSize: 4Mi, memory: 256Mi, openFiles: 64, cpu: 1s, processes: 100}
            """;

    @TempDir
    private static Path folder;

    private static EscapeScene scene;

    @BeforeAll
    static void start() throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        run("mount", "-t", "tmpfs", "-o", "size=24m,nr_inodes=3000", "none", work.toString());
        scene = new EscapeScene(folder, Map.of("limited", LIMITED, "strict", EscapeScene.STRICT));
    }

    @AfterAll
    static void close() throws Exception {
        try {
            scene.close();
        } finally {
            run("umount", "-l", folder.resolve("work").toString());
        }
    }

    private static void run(String... line) throws Exception {
        assertThat(new ProcessBuilder(line).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void limitsHoldWhereWithoutThemEachAttemptWorks() throws Exception {
        assertThat(scene.inside("limited", "limits.py"))
                .containsEntry("large-file", "refused: EFBIG")
                .containsEntry("large-file-by-extending", "refused: EFBIG")
                .containsEntry("much-memory", "refused: ENOMEM")
                .containsEntry("many-descriptors", "refused: EMFILE")
                .containsEntry("raise-own-limits", "broken: ValueError: not allowed to raise maximum limit")
                .containsEntry("negative-niceness", "refused: EACCES")
                .containsEntry("much-time", "died: SIGXCPU");
        assertThat(scene.outside("limits.py").entrySet())
                .filteredOn(result -> !result.getKey().matches("negative-niceness|raise-own-limits"))
                .allSatisfy(result -> assertThat(result.getValue()).startsWith("done"));
        scene.servesTheNextCall();
    }

    @Test
    void aFullDiskIsEmptyForTheNextCall() throws Exception {
        assertThat(scene.inside("strict", "fill.py", "disk")).containsEntry("disk", "No space left on device");
        scene.servesTheNextCall();
    }

    @Test
    void usedUpInodesAreFreeForTheNextCall() throws Exception {
        assertThat(scene.inside("strict", "fill.py", "inodes")).containsEntry("inodes", "No space left on device");
        scene.servesTheNextCall();
    }

    @Test
    void tooManyProcessesEndTheirRenderAlone() throws Exception {
        EscapeScene.Neighbour neighbour = scene.neighbour();
        assertThatThrownBy(() -> scene.inside("limited", "fill.py", "processes"))
                .hasMessageContaining("limits.processes");
        assertThat(scene.server.commands("fill.py")).isEmpty();
        assertThat(neighbour.end()).containsEntry("signals", "0");
        scene.servesTheNextCall();
    }
}
