package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// On a folder that looks like one of the kernel's: there a new group has its files at once, here they are made before.
@EnabledOnOs(OS.LINUX)
class ControlGroupsTest {
    private static final CommandLimits LIMITS = new CommandLimits(
            1,
            50,
            OptionalLong.of(64 << 20),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty());

    @TempDir
    private Path root;

    @Test
    void aGroupThatIsNotDelegatedIsLeftAlone() throws IOException {
        Path own = Files.createDirectory(root.resolve("pod"));
        Files.writeString(own.resolve("cgroup.controllers"), "cpu pids\n");

        assertThat(new ControlGroups("0::/pod\n", root, 7).open(LIMITS)).isEmpty();
        assertThat(own).isDirectoryContaining(path -> path.endsWith("cgroup.controllers"));
        assertThat(own.resolve("remora-server")).doesNotExist();
    }

    @Test
    void aGroupOfTheFirstVersionIsNone() {
        assertThat(new ControlGroups("4:memory:/pod\n", root, 7).open(LIMITS)).isEmpty();
        assertThat(new ControlGroups("0::/../..\n", root, 7).open(LIMITS)).isEmpty();
    }

    @Test
    void aRenderThatStatesNoMemoryNeedsNone() throws IOException {
        Path own = Files.createDirectory(root.resolve("pod"));
        Files.writeString(own.resolve("cgroup.controllers"), "memory pids\n");

        assertThat(new ControlGroups("0::/pod\n", root, 7).open(Shell.limits())).isEmpty();
        assertThat(own.resolve("remora-server")).doesNotExist();
    }

    @Test
    void whereTheServerCannotBeMovedNothingIsBounded() throws IOException {
        Path own = Files.createDirectory(root.resolve("pod"));
        Files.writeString(own.resolve("cgroup.controllers"), "cpu memory pids\n");

        Optional<RenderGroup> group = new ControlGroups("0::/pod\n", root, 7).open(LIMITS);

        assertThat(group).isEmpty();
    }

    @Test
    void aGroupTellsThatItsMemoryRanOutAndTakesProcesses() throws IOException {
        RenderGroup group = new RenderGroup(Files.createDirectory(root.resolve("remora-7-0")));
        Files.createFile(root.resolve("remora-7-0/cgroup.procs"));
        Files.writeString(root.resolve("remora-7-0/memory.events"), "low 0\noom 1\noom_kill 0\n");
        assertThat(group.memoryFired()).isFalse();

        assertThat(group.take((int) ProcessHandle.current().pid(), new ProcessTable()))
                .isTrue();
        Files.writeString(root.resolve("remora-7-0/memory.events"), "low 0\noom 1\noom_kill 2\n");

        assertThat(root.resolve("remora-7-0/cgroup.procs")).content().isNotEmpty();
        assertThat(group.memoryFired()).isTrue();
    }
}
