package dev.remora.sandbox;

import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import dev.remora.posix.Poll;
import dev.remora.posix.ProcFile;
import dev.remora.posix.Processes;
import dev.remora.sandbox.SeccompRule.Action;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Sees what the programs of one render ask of the kernel, and lets all of it happen: for diagnosis, never for
/// protection.
///
/// A filter on the render's own thread, inherited by all that it starts, stops every call that a strict fence may
/// judge; a thread of ours is told, reads the path or address out of the caller's memory, and tells the kernel to go
/// on. That needs no privilege but the right to trace one's own children, which Yama or a changed user may refuse:
/// [#refusal] says so. It costs a program some ten microseconds for each file that it opens.
///
/// The supervising thread must not wait for what a watched thread holds, such as the lock of a class that is being
/// loaded from a file: so one watched thread is made and watched before ([#open]), which loads all that is needed.
public final class AccessWatch implements AutoCloseable {
    private static final int LOOK_AGAIN_MILLIS = 50;
    private static final long STACK_BYTES = 512 * 1024;
    private static final int NONE = -1;

    /// What a run of some minutes opens; more is counted only.
    private static final int MOST_ACCESSES = 100_000;

    private final Map<Integer, Syscall> calls = new HashMap<>();
    private final SeccompProgram program;
    private final int wakeUp = Descriptors.wakeUp();
    private final Thread supervisor;
    private volatile int listener = NONE;
    private volatile boolean closed;

    // The supervisor's until it has ended.
    private final Set<Access> accesses = new LinkedHashSet<>();
    private int refusal;
    private boolean truncated;

    private AccessWatch() {
        List<SeccompRule> rules = new ArrayList<>();
        Processor processor = Processor.current();
        Stream.of(WatchedCall.READ, WatchedCall.FORBIDDEN).flatMap(List::stream).forEach(call -> {
            call.number(processor).ifPresent(number -> calls.put(number, call));
            rules.add(SeccompRule.always(call, Action.NOTIFY));
        });
        program = SeccompProgram.of(processor, rules);
        supervisor = Thread.ofPlatform()
                .daemon()
                .name("access-watch")
                .stackSize(STACK_BYTES)
                .start(this::serve);
    }

    /// A watch that nobody has entered yet, with everything that it needs loaded.
    ///
    /// @throws dev.remora.fault.Fault where the kernel cannot
    public static AccessWatch open() {
        AccessRehearsal.once();
        return new AccessWatch();
    }

    static AccessWatch unrehearsed() {
        return new AccessWatch();
    }

    /// Begins to watch the calling platform thread and all that it starts. Once for each watch.
    public void enter() {
        long refused = Processes.refuseNewPrivileges();
        long descriptor = refused < 0 ? refused : program.installWithListener();
        if (descriptor >= 0) {
            listener = (int) descriptor; // From here on this thread waits for the supervisor at every call.
            Descriptors.wake(wakeUp);
        }
        long _ = KernelAnswer.checked(descriptor, "seccomp with a listener");
    }

    /// All that was asked, in order, each once. After [#close].
    public List<Access> accesses() {
        return List.copyOf(accesses);
    }

    /// Why something could not be read, 0 or an errno; then [#accesses] is not all. After [#close].
    public int refusal() {
        return refusal;
    }

    /// Whether there was more than is kept. After [#close].
    public boolean truncated() {
        return truncated;
    }

    private void serve() {
        try (Libc libc = Libc.open()) {
            Poll poll = new Poll(libc, 2);
            Notifications waiting = new Notifications(libc);
            poll.set(0, wakeUp);
            while (!closed) {
                poll.await(LOOK_AGAIN_MILLIS);
                if (poll.ready(0)) {
                    Descriptors.calm(wakeUp);
                }
                if (poll.readable(1)) {
                    receive(waiting);
                    poll.set(1, listener);
                } else if (poll.ready(1)) {
                    poll.clear(1); // Nobody is left who could ask.
                } else {
                    poll.set(1, listener);
                }
            }
        } finally {
            if (listener != NONE) {
                Descriptors.close(listener);
            }
        }
    }

    private void receive(Notifications waiting) {
        Optional<Notifications.Waiting> call = waiting.receive(listener);
        if (call.isEmpty()) {
            return;
        }
        try {
            look(waiting, call.get());
        } finally {
            waiting.proceed(listener, call.get());
        }
    }

    private void look(Notifications waiting, Notifications.Waiting call) {
        Syscall name = calls.get(call.number());
        if (name == null) {
            return;
        }
        WatchedProcess process = new WatchedProcess(call.thread());
        List<Access> found = new WatchedCall(process, call.arguments()).read(name);
        if (!waiting.stillWaits(listener, call)) {
            return;
        }
        if (process.refusal() != 0) {
            refusal = process.refusal();
        }
        found.forEach(this::keep);
    }

    private void keep(Access access) {
        if (accesses.size() < MOST_ACCESSES) {
            accesses.add(access);
        } else {
            truncated = true;
        }
    }

    /// After the last watched process has ended; again, it does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Descriptors.wake(wakeUp);
        boolean interrupted = false;
        while (supervisor.isAlive()) {
            try {
                supervisor.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        Descriptors.close(wakeUp);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// What it means that memory could not be read, and what to do.
    public static String advice(int errno) {
        String yama = ProcFile.text("/proc/sys/kernel/yama/ptrace_scope", Long.BYTES)
                .map(String::strip)
                .map(scope -> "; kernel.yama.ptrace_scope is " + scope)
                .orElse("");
        return "the memory of a command could not be read: " + Errno.text(errno) + yama
                + "; the list is not complete. Run it as the same user, where ptrace_scope is 0 or 1";
    }
}
