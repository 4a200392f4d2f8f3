package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.process.Cancellation;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdleMemoryTest {
    private static final Duration QUIET = Duration.ofMillis(40);

    private final RunningCalls calls = new RunningCalls();
    private final Semaphore collections = new Semaphore(0);

    @Test
    void collectsOnceAfterCallsHaveEnded() throws InterruptedException {
        try (IdleMemory _ = new IdleMemory(calls, collections::release, QUIET)) {
            callThatEnds();

            assertThat(collections.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            assertThat(collections.tryAcquire(QUIET.toMillis() * 5, TimeUnit.MILLISECONDS))
                    .isFalse();
        }
    }

    @Test
    void leavesAServerAloneThatNobodyCalledOrThatIsAtWork() throws InterruptedException {
        try (IdleMemory _ = new IdleMemory(calls, collections::release, QUIET)) {
            assertThat(collections.tryAcquire(QUIET.toMillis() * 5, TimeUnit.MILLISECONDS))
                    .isFalse();
            calls.enter(new Cancellation());
            callThatEnds();

            assertThat(collections.tryAcquire(QUIET.toMillis() * 5, TimeUnit.MILLISECONDS))
                    .isFalse();
        }
    }

    private void callThatEnds() {
        Cancellation call = new Cancellation();
        calls.enter(call);
        calls.leave(call);
    }
}
