package dev.remora.process;

import dev.remora.posix.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/// The control group of one render.
record RenderGroup(Path folder) implements AutoCloseable {
    /// A command that has forked before it was moved has forked once or twice.
    private static final int ROUNDS = 20;

    private static final int EVENTS_BYTES = 4096;

    /// Moves a command in, and what it started before; what they start from now on is born inside.
    ///
    /// @return whether the command itself was moved, or had ended before
    boolean take(int pid, ProcessTable table) {
        boolean moved = move(pid) || !Files.exists(Path.of("/proc", Integer.toString(pid)));
        Set<Integer> done = new HashSet<>();
        boolean more = true;
        for (int round = 0; more && round < ROUNDS; round++) {
            more = false;
            for (int child : table.of(pid)) {
                more |= done.add(child) && move(child);
            }
        }
        return moved;
    }

    private boolean move(int pid) {
        try {
            ControlGroups.write(folder.resolve("cgroup.procs"), pid);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether the kernel ended one of its processes because the group's memory was used up.
    boolean memoryFired() {
        return ProcFile.text(folder.resolve("memory.events").toString(), EVENTS_BYTES)
                .map(text -> ProcessTable.counter(text, "oom_kill").orElse(0) > 0)
                .orElse(false);
    }

    /// When all its processes are gone; a group that still has one stays.
    @Override
    public void close() {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            return; // Empty folders, which end with the container.
        }
    }
}
