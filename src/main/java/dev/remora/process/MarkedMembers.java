package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Processes;
import dev.remora.posix.Signal;
import dev.remora.process.ProcessTable.Stat;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.Sandbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Members by what they carry, for kernels without signal domains: descendants of the render's commands; and of the
/// orphans those who were seen as descendants before, who bear the render's mark in their environment, or who are in
/// a session of a command of it.
///
/// Best effort: a process that leaves its session, clears its environment and loses its parent between two looks is
/// not found. Signals go through process descriptors opened before the last check, so never to a number's next owner.
final class MarkedMembers implements Members {
    static final String MARK = "REMORA_RENDER";
    private static final Bytes MARK_PREFIX = Bytes.utf8(MARK + "=");

    /// Rounds of stopping those who fork while they are being stopped.
    private static final int STOP_ROUNDS = 50;

    private final ProcessTable table;
    private final Orphans orphans;
    private final Sandbox sandbox;
    private final Bytes mark;
    private final Set<Integer> sessions = new HashSet<>();
    private final Map<Integer, Long> known = new HashMap<>();
    private int thread;

    MarkedMembers(ProcessTable table, Orphans orphans, Sandbox sandbox, String id) {
        this.table = table;
        this.orphans = orphans;
        this.sandbox = sandbox;
        this.mark = Bytes.utf8(MARK + "=" + id);
    }

    @Override
    public void enter(Fence fence) {
        sandbox.enter(fence);
        thread = Processes.threadId();
    }

    @Override
    public List<Bytes> marks() {
        return List.of(mark);
    }

    @Override
    public void started(int pid) {
        sessions.add(pid);
    }

    @Override
    public void observe() {
        List<Stat> _ = members(Integer.MAX_VALUE);
        boolean _ = orphans.anyAlive(this::isMember);
    }

    @Override
    public void signal(int signal) {
        if (signal == Signal.SIGKILL) {
            stopAll();
        }
        for (Stat member : living()) {
            send(member, signal);
        }
    }

    @Override
    public void signalOne(int pid, int signal) {
        table.stat(pid).filter(member -> known.containsKey(pid)).ifPresent(member -> send(member, signal));
    }

    /// What is stopped cannot fork, so after this a pass over the list reaches all.
    private void stopAll() {
        Set<Integer> stopped = new HashSet<>();
        for (int round = 0; round < STOP_ROUNDS; round++) {
            List<Stat> fresh = living().stream()
                    .filter(member -> stopped.add(member.pid()))
                    .toList();
            if (fresh.isEmpty()) {
                return;
            }
            fresh.forEach(member -> send(member, Signal.SIGSTOP));
        }
    }

    @Override
    public void signalGroup(int group, int signal) {
        inGroup(group).forEach(member -> send(member, signal));
    }

    @Override
    public boolean groupAlive(int group) {
        return !inGroup(group).isEmpty();
    }

    /// Sought among all processes: where we are no subreaper, orphans have gone to another parent.
    private List<Stat> inGroup(int group) {
        return table.all().stream()
                .flatMap(pid -> table.stat(pid).stream())
                .filter(stat -> stat.group() == group && stat.alive())
                .filter(stat -> ProcessTable.environment(stat.pid()).contains(mark))
                .toList();
    }

    @Override
    public boolean orphansAlive() {
        List<Stat> _ = members(Integer.MAX_VALUE);
        return orphans.anyAlive(this::isMember) || againAlive();
    }

    private boolean againAlive() {
        return orphans.anyAlive(this::isMember);
    }

    @Override
    public List<Integer> present(int most) {
        return members(most).stream().map(Stat::pid).toList();
    }

    private List<Stat> living() {
        return members(Integer.MAX_VALUE).stream().filter(Stat::alive).toList();
    }

    /// Everyone, breadth first. Whoever is met is known from then on.
    private List<Stat> members(int most) {
        ArrayDeque<Integer> open = new ArrayDeque<>(table.ofThread(thread));
        orphans.list().stream().filter(this::isMember).forEach(open::add);
        List<Stat> present = new ArrayList<>();
        Map<Integer, Long> met = new HashMap<>();
        while (!open.isEmpty() && present.size() < most) {
            int pid = open.poll();
            table.stat(pid).ifPresent(stat -> {
                met.put(pid, stat.start());
                sessions.add(stat.session());
                present.add(stat);
            });
            open.addAll(table.of(pid));
        }
        known.putAll(met);
        if (open.isEmpty()) {
            known.keySet().retainAll(met.keySet());
        }
        return present;
    }

    private boolean isMember(int pid) {
        Stat stat = table.stat(pid).orElse(null);
        if (stat == null) {
            // Gone; or no descriptor is left to look with, and then it is not proven that it is another's.
            return Processes.kill(pid, Signal.PROBE) == 0;
        }
        Long start = known.get(pid);
        if (start != null) {
            return start == stat.start();
        }
        List<Bytes> environment = ProcessTable.environment(pid);
        if (environment.contains(mark)) {
            return true;
        }
        boolean anothers = environment.stream().anyMatch(entry -> entry.startsWith(MARK_PREFIX));
        return !anothers && sessions.contains(stat.session());
    }

    private void send(Stat member, int signal) {
        int pidfd = Descriptors.pidfd(member.pid());
        if (pidfd == -Errno.ENOSYS) {
            if (isStill(member)) {
                long _ = Processes.kill(member.pid(), signal);
            }
        } else if (pidfd >= 0) {
            if (isStill(member)) {
                long _ = Descriptors.signal(pidfd, signal);
            }
            Descriptors.close(pidfd);
        }
    }

    private boolean isStill(Stat member) {
        return table.stat(member.pid())
                .filter(now -> now.start() == member.start())
                .isPresent();
    }
}
