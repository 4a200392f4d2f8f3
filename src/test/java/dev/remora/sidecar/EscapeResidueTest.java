package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A command that keeps descriptors, forks into a session of its own and looks for the files of renders that come
/// later (`residue.py`).
@EnabledOnOs(OS.LINUX)
@NeedsRoot
@NeedsLandlock
@SuppressWarnings("try") // closing waits, and may be interrupted like all else here
class EscapeResidueTest {
    private static final String NAME = "residue.py";
    private static final Map<String, String> LEVELS = Map.of("strict", EscapeScene.STRICT);
    /// Enough that it has looked at least once from beginning to end after the neighbour was there.
    private static final int LOOKS = 3;

    @TempDir
    private Path folder;

    /// Argo CD's way of ending commands lets it live on: what it holds is its own dead folder. Without a sandbox the
    /// same
    /// program finds the neighbour.
    @Test
    void whatOutlivesItsRenderSeesNothingOfTheNext() throws Exception {
        try (EscapeScene scene = new EscapeScene(folder, LEVELS, "REMORA_ARGOCD=kill")) {
            scene.call("strict", SmallArchive.of(EscapeScene.programs()), NAME);
            assertThat(found(scene)).isEqualTo("nothing");
            assertThat(scene.outside(NAME)).isEmpty();
            assertThat(found(scene)).startsWith("found");
        }
    }

    /// What it says some looks after a neighbour has come. It is ended then.
    private static String found(EscapeScene scene) throws Exception {
        EscapeScene.await(() -> processes().size() == 1 && !report().isEmpty());
        EscapeScene.Neighbour neighbour = scene.neighbour();
        try {
            int before = looks(report());
            EscapeScene.await(() -> looks(report()) >= before + LOOKS);
            String report = report().strip();
            return report.substring(report.indexOf(' ') + 1);
        } finally {
            ProcessHandle.of(processes().getFirst()).ifPresent(ProcessHandle::destroyForcibly);
            EscapeScene.await(() -> processes().isEmpty());
            assertThat(neighbour.end()).containsEntry("file", "top secret file");
        }
    }

    /// The number that a report begins with.
    private static int looks(String report) {
        return Integer.parseInt(report.substring(0, report.indexOf(' ')));
    }

    private static List<Long> processes() throws IOException {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> process.info().commandLine().orElse("").contains("-B " + NAME))
                    .map(ProcessHandle::pid)
                    .toList();
        }
    }

    /// From the file that it holds, also where that is deleted.
    private static String report() throws IOException {
        Path descriptors = Path.of("/proc/" + processes().getFirst() + "/fd");
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path descriptor : all.toList()) {
                if (Files.readSymbolicLink(descriptor).toString().contains("residue-report")) {
                    String text = Files.readString(descriptor, StandardCharsets.ISO_8859_1);
                    return text.contains("\n") ? text.substring(0, text.indexOf('\n')) : "";
                }
            }
        }
        return "";
    }
}
