package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.remora.posix.CFunction;
import dev.remora.posix.Libc;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A filter's listener: the calls that wait for an answer ([SeccompRule.Action#NOTIFY]). For one thread.
///
/// Source: kernel.org, userspace-api/seccomp_filter, "Userspace Notification"; `<linux/seccomp.h>`.
final class Notifications {
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
    private static final int ERROR_OFFSET = 16;
    private static final int FLAGS_OFFSET = 20;

    private final Libc libc;
    private final MemorySegment request;
    private final MemorySegment answer;

    /// One waiting call.
    ///
    /// @param number the call's, on this processor
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Waiting(long id, int thread, int number, long[] arguments) {}

    Notifications(Libc libc) {
        this.libc = libc;
        this.request = libc.allocate(REQUEST_BYTES);
        this.answer = libc.allocate(ANSWER_BYTES);
    }

    /// Empty where the caller was killed meanwhile.
    Optional<Waiting> receive(int listener) {
        request.fill((byte) 0);
        if (libc.call(CFunction.IOCTL, listener, RECEIVE, request.address()) < 0) {
            return Optional.empty();
        }
        long[] arguments = new long[ARGUMENTS];
        for (int i = 0; i < ARGUMENTS; i++) {
            arguments[i] = request.get(JAVA_LONG, ARGUMENTS_OFFSET + (long) Long.BYTES * i);
        }
        return Optional.of(new Waiting(
                request.get(JAVA_LONG, 0),
                request.get(JAVA_INT, THREAD_OFFSET),
                request.get(JAVA_INT, CALL_OFFSET),
                arguments));
    }

    /// Whether what was read about the caller was his own: his number is not another's yet.
    boolean stillWaits(int listener, Waiting call) {
        request.set(JAVA_LONG, 0, call.id());
        return libc.call(CFunction.IOCTL, listener, STILL_WAITS, request.address()) >= 0;
    }

    /// Lets the kernel carry it out, whatever its arguments point to by then.
    void proceed(int listener, Waiting call) {
        send(listener, call, 0, CONTINUE);
    }

    /// The call returns 0, or fails with this errno; the kernel does nothing.
    void finish(int listener, Waiting call, int errno) {
        send(listener, call, -errno, 0);
    }

    private void send(int listener, Waiting call, int error, int flags) {
        answer.fill((byte) 0);
        answer.set(JAVA_LONG, 0, call.id());
        answer.set(JAVA_INT, ERROR_OFFSET, error);
        answer.set(JAVA_INT, FLAGS_OFFSET, flags);
        long _ = libc.call(CFunction.IOCTL, listener, SEND, answer.address());
    }
}
