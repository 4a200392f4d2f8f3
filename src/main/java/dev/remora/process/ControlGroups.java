package dev.remora.process;

import dev.remora.posix.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// A control group for each render that states `limits.memory`, where our own group (cgroup v2) was delegated to us:
/// its folder is ours to write and has the controllers `memory` and `pids`. Then memory and processes of the whole
/// render are bounded by the kernel, whatever its processes do; elsewhere only each process is.
///
/// A group with processes cannot give controllers to groups below it. So the first render that needs one moves this
/// server into a group of its own, `remora-server`, beside those of the renders; where others are in our group too (a
/// shell of `kubectl exec`) the kernel refuses, and all stays as it was.
///
/// Used by the porter alone, who is behind no fence.
public final class ControlGroups {
    private static final int MEMBERSHIPS_BYTES = 4096;
    private static final String SERVER = "remora-server";

    private final Optional<Path> folder;
    private final long self;
    private boolean looked;
    private boolean usable;
    private long next;

    ControlGroups(String memberships, Path root, long self) {
        this.folder = memberships
                .lines()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> Path.of(root + line.substring("0::".length())).normalize())
                .filter(path -> path.startsWith(root))
                .findFirst();
        this.self = self;
    }

    /// Of this process. Nothing is changed before a render needs it.
    public static ControlGroups ofThisProcess() {
        return new ControlGroups(
                ProcFile.text("/proc/self/cgroup", MEMBERSHIPS_BYTES).orElse(""),
                Path.of("/sys/fs/cgroup"),
                ProcessTable.self());
    }

    /// Nowhere.
    static ControlGroups none() {
        return new ControlGroups("", Path.of("/"), 0);
    }

    /// A group with the render's bounds; empty where it states no memory, or nothing was delegated to us.
    Optional<RenderGroup> open(CommandLimits limits) {
        if (limits.memory().isEmpty() || folder.isEmpty() || !usable()) {
            return Optional.empty();
        }
        Path group = folder.get().resolve("remora-" + self + "-" + next++);
        try {
            Files.createDirectory(group);
            write(group.resolve("memory.max"), limits.memory().getAsLong());
            write(group.resolve("pids.max"), limits.processes());
            return Optional.of(new RenderGroup(group));
        } catch (IOException e) {
            new RenderGroup(group).close();
            return Optional.empty();
        }
    }

    private boolean usable() {
        if (!looked) {
            looked = true;
            usable = delegated(folder.orElseThrow());
        }
        return usable;
    }

    private boolean delegated(Path own) {
        Path server = own.resolve(SERVER);
        try {
            List<String> controllers = List.of(
                    Files.readString(own.resolve("cgroup.controllers")).strip().split(" ", -1));
            if (!controllers.containsAll(List.of("memory", "pids"))) {
                return false;
            }
            Files.createDirectory(server);
            write(server.resolve("cgroup.procs"), self);
        } catch (IOException e) {
            return false;
        }
        try {
            Files.writeString(own.resolve("cgroup.subtree_control"), "+memory +pids", StandardOpenOption.WRITE);
            return true;
        } catch (IOException e) {
            moveBack(own, server);
            return false;
        }
    }

    private void moveBack(Path own, Path server) {
        try {
            write(own.resolve("cgroup.procs"), self);
            Files.delete(server);
        } catch (IOException e) {
            return; // In a group of our own, without bounds: as good as before.
        }
    }

    /// Files of the kernel are never made by us.
    static void write(Path file, long value) throws IOException {
        Files.writeString(file, Long.toString(value), StandardOpenOption.WRITE);
    }
}
