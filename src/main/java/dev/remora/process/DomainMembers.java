package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.Processes;
import dev.remora.posix.Signal;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.Sandbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Members by a signal domain: who was started from inside can be signalled from inside, and nobody else.
///
/// `kill(-1)` reaches all members in one pass of the kernel, also those that are being forked meanwhile. Whether one is
/// left: the topmost living member is always our child, by start or as an orphan; and of our children those are
/// members whom a signal 0 reaches. Other renders' answer EPERM.
final class DomainMembers implements Members {
    private final ProcessTable table;
    private final Orphans orphans;
    private final Sandbox sandbox;
    private int thread;

    DomainMembers(ProcessTable table, Orphans orphans, Sandbox sandbox) {
        this.table = table;
        this.orphans = orphans;
        this.sandbox = sandbox;
    }

    @Override
    public void enter(Fence fence) {
        sandbox.enter(fence);
        thread = Processes.threadId();
    }

    @Override
    public List<Bytes> marks() {
        return List.of();
    }

    @Override
    public void started(int pid) {}

    @Override
    public void observe() {
        boolean _ = orphans.anyAlive(DomainMembers::isMember);
    }

    @Override
    public void signal(int signal) {
        long _ = Processes.kill(Processes.EVERYONE, signal);
    }

    /// A number that is no member's any more answers EPERM.
    @Override
    public void signalOne(int pid, int signal) {
        long _ = Processes.kill(pid, signal);
    }

    @Override
    public void signalGroup(int group, int signal) {
        long _ = Processes.kill(-group, signal);
    }

    @Override
    public boolean groupAlive(int group) {
        return Processes.kill(-group, Signal.PROBE) == 0;
    }

    /// Asked twice before the answer is no: the second list was read after every change the first may have missed.
    @Override
    public boolean orphansAlive() {
        return orphans.anyAlive(DomainMembers::isMember) || againAlive();
    }

    private boolean againAlive() {
        return orphans.anyAlive(DomainMembers::isMember);
    }

    @Override
    public List<Integer> present(int most) {
        ArrayDeque<Integer> open = new ArrayDeque<>(table.ofThread(thread));
        orphans.list().stream().filter(DomainMembers::isMember).forEach(open::add);
        List<Integer> found = new ArrayList<>();
        while (!open.isEmpty() && found.size() < most) {
            int pid = open.poll();
            found.add(pid);
            open.addAll(table.of(pid));
        }
        return found;
    }

    private static boolean isMember(int pid) {
        return Processes.kill(pid, Signal.PROBE) == 0;
    }
}
