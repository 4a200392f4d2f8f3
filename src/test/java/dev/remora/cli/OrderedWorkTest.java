package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderedWorkTest {
    private static final List<Integer> MANY = IntStream.range(0, 500).boxed().toList();

    @Test
    void handsOverInOrderWhoeverIsReadyFirst() {
        CountDownLatch laterOneIsDone = new CountDownLatch(1);
        List<Integer> seen = new ArrayList<>();
        new OrderedWork(2)
                .run(
                        List.of(0, 1, 2),
                        thing -> {
                            if (thing == 0) {
                                await(laterOneIsDone);
                            } else {
                                laterOneIsDone.countDown();
                            }
                            return thing;
                        },
                        seen::add);
        assertThat(seen).containsExactly(0, 1, 2);
    }

    @Test
    void neverDoesMoreAtOnceThanAllowed() {
        AtomicInteger atWork = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        new OrderedWork(3)
                .run(
                        MANY,
                        thing -> {
                            most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            atWork.decrementAndGet();
                            return thing;
                        },
                        seen::add);
        assertThat(seen).isEqualTo(MANY);
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void beginsNothingMoreAfterAStop() {
        AtomicInteger begun = new AtomicInteger();
        new OrderedWork(1).run(MANY, thing -> begun.incrementAndGet(), result -> false);
        assertThat(begun.get()).isBetween(1, 9);
    }

    @Test
    void throwsWhatTheWorkThrew() {
        assertThatThrownBy(() -> new OrderedWork(2)
                        .run(
                                List.of(1),
                                thing -> {
                                    throw new IllegalArgumentException("x");
                                },
                                result -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
