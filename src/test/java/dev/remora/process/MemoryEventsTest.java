package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class MemoryEventsTest {
    @TempDir
    private Path root;

    @Test
    void readsTheSecondVersionsFileInTheOwnGroupAndInAContainersRoot() throws IOException {
        write("pod/memory.events", "low 0\noom 5\noom_kill 3\noom_group_kill 1\n");
        assertThat(MemoryEvents.find("0::/pod\n", root.toString()).killed()).isEqualTo(3);

        write("memory.events", "low 0\noom_kill 2\n");
        assertThat(MemoryEvents.find("0::/not/visible/here\n", root.toString()).killed())
                .isEqualTo(2);
    }

    @Test
    void readsTheFirstVersionsFile() throws IOException {
        write("memory/pod/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");

        assertThat(MemoryEvents.find("5:cpu:/x\n4:hugetlb,memory:/pod\n0::/\n", root.toString())
                        .killed())
                .isEqualTo(4);
    }

    @Test
    void countsNothingWhereNothingIsToldAndSaysSo() {
        MemoryEvents none = MemoryEvents.find("0::/\n", root.toString());

        assertThat(none.available()).isFalse();
        assertThat(none.killed()).isZero();
    }

    @Test
    void aCommandThatTheKernelKillsForMemoryIsToldFromOneThatSomebodyKills() throws IOException {
        Path group = Path.of("/sys/fs/cgroup/memory/remora-test-" + System.nanoTime());
        assumeTrue(Files.isWritable(group.getParent()), "needs a writable memory cgroup (version 1)");
        Files.createDirectory(group);
        try {
            Files.writeString(group.resolve("memory.limit_in_bytes"), "30000000");
            MemoryEvents events = MemoryEvents.find("4:memory:/" + group.getFileName() + "\n", "/sys/fs/cgroup");
            long before = events.killed();

            Outcome outcome = runIn(group);

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Signalled.class,
                            signalled -> assertThat(signalled.signal()).isEqualTo(9));
            assertThat(events.killed()).isGreaterThan(before);
        } finally {
            Files.delete(group);
        }
    }

    private Outcome runIn(Path group) {
        try (CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH));
                ProcessTree tree = runner.open("t", Shell.limits())) {
            String script = "echo $$ > " + group + "/cgroup.procs; exec tail -n 1 /dev/zero";
            return tree.run(
                    Shell.script(root, script),
                    Shell.within(Duration.ofSeconds(30), Duration.ofSeconds(1)),
                    new Cancellation());
        }
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }
}
