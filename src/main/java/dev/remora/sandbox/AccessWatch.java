package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.remora.posix.CFunction;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import dev.remora.posix.Poll;
import dev.remora.posix.ProcFile;
import dev.remora.posix.Processes;
import dev.remora.sandbox.SeccompRule.Action;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
///
/// Source: kernel.org, userspace-api/seccomp_filter, "Userspace Notification".
public final class AccessWatch implements AutoCloseable {
    private static final long RECEIVE = 0xc0502100L;
    private static final long SEND = 0xc0182101L;
    private static final long STILL_WAITS = 0x40082102L;
    private static final int REQUEST_BYTES = 80;
    private static final int ANSWER_BYTES = 24;
    private static final int CONTINUE = 1;

    private static final int THREAD_OFFSET = 8;
    private static final int CALL_OFFSET = 16;
    private static final int ARGUMENTS_OFFSET = 32;
    private static final int ARGUMENTS = 6;
    private static final int FLAGS_OFFSET = 20;

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
            MemorySegment request = libc.allocate(REQUEST_BYTES);
            MemorySegment answer = libc.allocate(ANSWER_BYTES);
            poll.set(0, wakeUp);
            while (!closed) {
                poll.await(LOOK_AGAIN_MILLIS);
                if (poll.ready(0)) {
                    Descriptors.calm(wakeUp);
                }
                if (poll.readable(1)) {
                    receive(libc, request, answer);
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

    private void receive(Libc libc, MemorySegment request, MemorySegment answer) {
        request.fill((byte) 0);
        if (libc.call(CFunction.IOCTL, listener, RECEIVE, request.address()) < 0) {
            return; // The caller was killed meanwhile.
        }
        try {
            look(libc, request);
        } finally {
            answer.fill((byte) 0);
            answer.set(JAVA_LONG, 0, request.get(JAVA_LONG, 0));
            answer.set(JAVA_INT, FLAGS_OFFSET, CONTINUE);
            long _ = libc.call(CFunction.IOCTL, listener, SEND, answer.address());
        }
    }

    private void look(Libc libc, MemorySegment request) {
        Syscall call = calls.get(request.get(JAVA_INT, CALL_OFFSET));
        if (call == null) {
            return;
        }
        long[] arguments = new long[ARGUMENTS];
        for (int i = 0; i < ARGUMENTS; i++) {
            arguments[i] = request.get(JAVA_LONG, ARGUMENTS_OFFSET + (long) Long.BYTES * i);
        }
        WatchedProcess process = new WatchedProcess(request.get(JAVA_INT, THREAD_OFFSET));
        List<Access> found = new WatchedCall(process, arguments).read(call);
        // Its number may be another's by now; then what was read is not its own.
        if (libc.call(CFunction.IOCTL, listener, STILL_WAITS, request.address()) < 0) {
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
