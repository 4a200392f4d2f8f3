package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Processes;
import dev.remora.posix.Spawn;
import dev.remora.posix.SpawnRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class OrphanReaperTest {
    @Test
    void reapsOrphansThatNoRenderOwnsAndSparesThoseThatSomeoneWaitsFor() throws InterruptedException {
        try (CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH))) {
            assertThat(runner.describe()).contains("orphans are reaped as");
            int parent = shell("sleep 0.5 & echo $!");
            int awaited = shell("exit 7");
            Thread.sleep(200);
            assertThat(Processes.reap(parent)).isPresent();

            ProcessTable table = new ProcessTable();
            assertThat(table.ofThread(ProcessTable.self())).isNotEmpty();
            while (!table.ofThread(ProcessTable.self()).isEmpty()) {
                Thread.sleep(50);
            }

            assertThat(Processes.reap(awaited))
                    .hasValueSatisfying(
                            status -> assertThat(status.exitStatus()).isEqualTo(7));
        }
    }

    private static int shell(String script) {
        Descriptors.Pipe pipe = Descriptors.pipe();
        int pid = Spawn.start(new SpawnRequest(
                Bytes.utf8("/bin/sh"),
                List.of(Bytes.utf8("sh"), Bytes.utf8("-c"), Bytes.utf8(script)),
                List.of(Bytes.utf8("PATH=/usr/bin:/bin")),
                Bytes.utf8("/"),
                pipe.writeEnd(),
                pipe.writeEnd()));
        Descriptors.close(pipe.readEnd());
        Descriptors.close(pipe.writeEnd());
        return pid;
    }
}
