package dev.remora.protocol;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;

/// The messages of a request stream, as a blocking iterator.
///
/// gRPC calls back on a thread that must not wait; whoever works on the call wants to wait. Between them lies a queue
/// that stays small because we ask for messages only as they are taken: at most `MOST_MESSAGES` are asked for ahead,
/// fewer when messages are large, so that what waits is about `WANTED_BYTES` or a single message. Mutable; `lock`
/// guards
/// all fields.
public final class BlockingInbound<T> {
    /// Enough to keep a sender of 1 KiB messages busy while we are scheduled.
    private static final int MOST_MESSAGES = 64;
    /// What may lie here; one message may be larger.
    private static final int WANTED_BYTES = 256 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<T> queue = new ArrayDeque<>();
    private final IntConsumer request;
    private final ToIntFunction<T> size;

    /// Messages that gRPC may still deliver without being asked again.
    private int asked;

    private int queuedBytes;
    private int largest;
    private boolean ended;
    private Optional<Fault> over = Optional.empty();

    /// @param request asks gRPC for so many more messages; may be called from any thread
    /// @param size bytes that a message holds in memory
    BlockingInbound(IntConsumer request, ToIntFunction<T> size) {
        this.request = request;
        this.size = size;
    }

    /// Asks for the first message only: nobody knows yet how large the sender's messages are.
    void open() {
        asked = 1;
        request.accept(1);
    }

    void received(T message) {
        lock.lock();
        try {
            int bytes = size.applyAsInt(message);
            asked--;
            queuedBytes += bytes;
            largest = Math.max(largest, bytes);
            queue.add(message);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void ended() {
        lock.lock();
        try {
            ended = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void cancelled(String reason) {
        end(new Fault(FaultCode.CALL_CANCELLED, reason));
    }

    /// Nothing more is given; whoever waits for a message gets `reason`. The first reason stands.
    void end(Fault reason) {
        lock.lock();
        try {
            over = over.or(() -> Optional.of(reason));
            queue.clear();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// The next message; empty once the sender has half-closed.
    ///
    /// @param deadlineNanos by `System.nanoTime()`; beyond it `CALL_DEADLINE` is thrown
    /// @throws Fault `CALL_CANCELLED` when the caller went away, `MESSAGE_TOO_LARGE` when a message is
    public Optional<T> next(long deadlineNanos) {
        int more;
        T message;
        lock.lock();
        try {
            await(deadlineNanos);
            if (queue.isEmpty()) {
                return Optional.empty();
            }
            message = queue.remove();
            queuedBytes -= size.applyAsInt(message);
            more = wanted();
            asked += more;
        } finally {
            lock.unlock();
        }
        if (more > 0) {
            request.accept(more);
        }
        return Optional.of(message);
    }

    private void await(long deadlineNanos) {
        try {
            while (queue.isEmpty() && !ended && over.isEmpty()) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) {
                    throw new Fault(FaultCode.CALL_DEADLINE, "context deadline exceeded");
                }
                boolean _ = changed.await(left, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "context canceled", e);
        }
        if (over.isPresent()) {
            throw over.get();
        }
    }

    /// Asks in batches: a request for each message would wake gRPC's thread each time.
    private int wanted() {
        int window = Math.clamp(WANTED_BYTES / Math.max(1, largest), 1, MOST_MESSAGES);
        int outstanding = asked + queue.size();
        boolean room = queuedBytes < WANTED_BYTES;
        return room && !ended && outstanding <= window / 2 ? window - outstanding : 0;
    }
}
