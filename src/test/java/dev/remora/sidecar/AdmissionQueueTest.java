package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.FaultCode;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.ExecTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class AdmissionQueueTest {
    private final AdmissionQueue queue = new AdmissionQueue();

    private static CallTime within(Duration time) {
        return CallTime.startingNow(Optional.of(time), ExecTimeouts.DEFAULT);
    }

    private static CallTime endless() {
        return CallTime.startingNow(Optional.empty(), ExecTimeouts.DEFAULT);
    }

    private static void await(BooleanSupplier met) throws InterruptedException {
        for (int i = 0; i < 500 && !met.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(met.getAsBoolean()).isTrue();
    }

    @Test
    void letsEveryoneInWithoutALimit() {
        List<AdmissionQueue.Place> places = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            places.add(queue.enter(endless(), new Cancellation()));
        }
        assertThat(queue.running()).isEqualTo(100);
        places.forEach(AdmissionQueue.Place::close);
        assertThat(queue.running()).isZero();
    }

    @Test
    void servesInOrderAndNeverMoreThanAllowed() throws Exception {
        queue.allow(OptionalInt.of(2));
        AtomicInteger most = new AtomicInteger();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        var first = queue.enter(endless(), new Cancellation());
        var second = queue.enter(endless(), new Cancellation());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> {
                try (var _ = queue.enter(endless(), new Cancellation())) {
                    order.add(number);
                    most.accumulateAndGet(queue.running(), Math::max);
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            int waiting = i + 1;
            await(() -> queue.waiting() == waiting);
        }
        first.close();
        await(() -> order.size() == 8 || queue.waiting() < 7);
        second.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isLessThanOrEqualTo(2);
        assertThat(order.subList(0, 2)).containsExactlyInAnyOrder(0, 1);
        assertThat(order).hasSize(8);
        assertThat(queue.running()).isZero();
    }

    @Test
    void refusesAtOnceWhoCannotMakeIt() throws Exception {
        queue.allow(OptionalInt.of(1));
        for (int i = 0; i < 3; i++) {
            try (var _ = queue.enter(endless(), new Cancellation())) {
                Thread.sleep(200);
            }
        }
        try (var _ = queue.enter(endless(), new Cancellation())) {
            // CALL_DEADLINE would mean that it waited first.
            assertThatThrownBy(() -> queue.enter(within(Duration.ofMillis(320)), new Cancellation()))
                    .hasFieldOrPropertyWithValue("code", FaultCode.CALL_REFUSED)
                    .hasMessageContaining("limits.parallel is 1 and 0 calls wait already")
                    .hasMessageContaining("a render takes about 2");
        }
    }

    @Test
    void waitsWhenTheTimeMaySuffice() throws Exception {
        queue.allow(OptionalInt.of(1));
        try (var _ = queue.enter(endless(), new Cancellation())) {
            Thread.sleep(50);
        }
        var busy = queue.enter(endless(), new Cancellation());
        Thread helper = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            busy.close();
        });
        try (var _ = queue.enter(within(Duration.ofSeconds(10)), new Cancellation())) {
            assertThat(queue.running()).isEqualTo(1);
        }
        helper.join();
    }

    @Test
    void endsTheWaitAtTheDeadline() {
        queue.allow(OptionalInt.of(1));
        try (var _ = queue.enter(endless(), new Cancellation())) {
            assertThatThrownBy(() -> queue.enter(within(Duration.ofMillis(400)), new Cancellation()))
                    .hasFieldOrPropertyWithValue("code", FaultCode.CALL_DEADLINE)
                    .hasMessageContaining("waiting for its turn");
            assertThat(queue.waiting()).isZero();
        }
    }

    @Test
    void endsTheWaitWhenTheCallerGoes() throws Exception {
        queue.allow(OptionalInt.of(1));
        Cancellation gone = new Cancellation();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (var _ = queue.enter(endless(), new Cancellation())) {
            Thread waiter = Thread.ofVirtual().start(() -> {
                try (var _ = queue.enter(endless(), gone)) {
                    failures.add(new AssertionError("entered"));
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
            await(() -> queue.waiting() == 1);
            gone.cancel("the caller went away");
            waiter.join();
        }
        assertThat(failures).singleElement().hasFieldOrPropertyWithValue("code", FaultCode.CALL_CANCELLED);
        assertThat(queue.waiting()).isZero();
        assertThat(queue.running()).isZero();
    }

    @Test
    void takesARaisedLimitOverForThoseWhoWait() throws Exception {
        queue.allow(OptionalInt.of(1));
        var busy = queue.enter(endless(), new Cancellation());
        AtomicInteger entered = new AtomicInteger();
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(Thread.ofVirtual().start(() -> {
                try (var _ = queue.enter(endless(), new Cancellation())) {
                    entered.incrementAndGet();
                }
            }));
        }
        await(() -> queue.waiting() == 3);
        queue.allow(OptionalInt.of(4));
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertThat(entered).hasValue(3);
        busy.close();
    }
}
