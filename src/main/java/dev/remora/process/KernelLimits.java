package dev.remora.process;

import dev.remora.posix.Errno;
import dev.remora.posix.Processes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/// The limits that the kernel keeps for us, set on a command as soon as it was started, and on what it started before
/// they held; from then on they are inherited.
final class KernelLimits {
    /// A command that has forked before its limits held has forked once or twice.
    private static final int ROUNDS = 20;

    /// Between SIGXCPU, which a command may answer, and its end.
    private static final int CPU_GRACE_SECONDS = 5;

    private final List<Limit> limits = new ArrayList<>();
    private final OptionalInt nice;
    private final boolean hardenProcesses;

    private record Limit(String setting, int resource, long soft, long hard) {}

    /// @param hardenProcesses whether the bound on the user's processes that it was started with is made final
    KernelLimits(CommandLimits limits, boolean hardenProcesses) {
        this.hardenProcesses = hardenProcesses;
        add("limits.memory", Processes.RLIMIT_DATA, limits.memory());
        add("limits.openFiles", Processes.RLIMIT_NOFILE, limits.openFiles());
        add("limits.fileSize", Processes.RLIMIT_FSIZE, limits.fileSize());
        add("limits.cpu", Processes.RLIMIT_CPU, limits.cpuSeconds());
        nice = limits.nice();
    }

    private void add(String setting, int resource, OptionalLong value) {
        long grace = resource == Processes.RLIMIT_CPU ? CPU_GRACE_SECONDS : 0;
        value.ifPresent(bound -> limits.add(new Limit(setting, resource, bound, bound + grace)));
    }

    /// Whether there is nothing to set.
    boolean areNone() {
        return limits.isEmpty() && nice.isEmpty() && !hardenProcesses;
    }

    /// What could not be set, if anything.
    Optional<String> applyTo(int pid, ProcessTable table) {
        Optional<String> failed = apply(pid);
        if (limits.isEmpty() && nice.isEmpty()) {
            return failed;
        }
        Set<Integer> done = new HashSet<>();
        boolean more = true;
        for (int round = 0; more && round < ROUNDS; round++) {
            more = false;
            for (int child : table.of(pid)) {
                if (done.add(child)) {
                    more = true;
                    Optional<String> _ = apply(child);
                }
            }
        }
        return failed;
    }

    private Optional<String> apply(int pid) {
        for (Limit limit : limits) {
            long error = Processes.limit(pid, limit.resource(), limit.soft(), limit.hard());
            if (error < 0 && error != -Errno.ESRCH) {
                return Optional.of(limit.setting() + ": " + Errno.text((int) -error));
            }
        }
        if (nice.isPresent()) {
            long error = Processes.nice(pid, nice.getAsInt());
            if (error < 0 && error != -Errno.ESRCH) {
                return Optional.of("limits.nice: " + Errno.text((int) -error));
            }
        }
        if (hardenProcesses) {
            long most = Processes.softLimit(pid, Processes.RLIMIT_NPROC);
            long _ = most < 0 ? most : Processes.limit(pid, Processes.RLIMIT_NPROC, most, most);
        }
        return Optional.empty();
    }
}
