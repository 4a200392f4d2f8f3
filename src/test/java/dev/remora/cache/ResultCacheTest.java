package dev.remora.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.cache.ResultCache.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ResultCacheTest {
    private static final Optional<Duration> ANY_AGE = Optional.empty();
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicLong clock = new AtomicLong();
    private final ResultCache<String> cache = new ResultCache<>(3_000, String::length, clock::get);

    @Test
    void givesAgainWhatWasMade() {
        make("a", "answer");
        clock.addAndGet(Duration.ofSeconds(5).toNanos());

        assertThat(cache.enter("a", ANY_AGE)).isEqualTo(new Turn.Hit<>("answer", Duration.ofSeconds(5)));
        assertThat(cache.enter("b", ANY_AGE)).isInstanceOf(Turn.Make.class);
    }

    @Test
    void makesAnewWhatIsTooOld() {
        make("a", "old");
        clock.addAndGet(Duration.ofMinutes(2).toNanos());

        assertThat(cache.find("a", Optional.of(Duration.ofMinutes(1)))).isEmpty();
        assertThat(cache.enter("a", Optional.of(Duration.ofMinutes(1))))
                .isInstanceOfSatisfying(Turn.Make.class, make -> {
                    assertThat(make.expired()).isTrue();
                    make.lead().close();
                });
        make("a", "new", Optional.of(Duration.ofMinutes(1)));
        assertThat(cache.find("a", Optional.of(Duration.ofMinutes(1))))
                .hasValueSatisfying(hit -> assertThat(hit.value()).isEqualTo("new"));
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void forgetsTheLeastRecentlyUsedFirstAndStaysWithinItsBytes() {
        make("a", "x".repeat(400));
        make("b", "x".repeat(400));
        make("c", "x".repeat(400));
        assertThat(cache.find("a", ANY_AGE)).isPresent();
        make("d", "x".repeat(400));

        assertThat(cache.find("a", ANY_AGE)).isPresent();
        assertThat(cache.find("b", ANY_AGE)).isEmpty();
        assertThat(cache.bytes()).isEqualTo(3 * (400 + 512));
        make("a", "x".repeat(100));
        assertThat(cache.bytes()).isEqualTo(3 * 512 + 400 + 400 + 100);
    }

    @Test
    void keepsNothingThatIsLargerThanAll() {
        make("small", "s");

        assertThat(lead("large").land("x".repeat(3_000))).isFalse();
        assertThat(cache.find("large", ANY_AGE)).isEmpty();
        assertThat(cache.find("small", ANY_AGE)).isPresent();
    }

    @Test
    void aFailureIsNeitherKeptNorShared() throws Exception {
        ResultCache<String>.Lead first = lead("a");
        ResultCache<String>.Wait waiting = join("a");

        first.close();

        assertThat(waiting.await(LONG)).isEmpty();
        assertThat(lead("a").land("made by the second")).isTrue();
    }

    @Test
    void thoseWhoWaitGetTheAnswerAlsoWhenThereIsNoRoomToKeepIt() throws Exception {
        ResultCache<String> none = new ResultCache<>(0, String::length, clock::get);
        Turn<String> first = none.enter("a", ANY_AGE);
        Turn<String> second = none.enter("a", ANY_AGE);

        assertThat(((Turn.Make<String>) first).lead().land("answer")).isFalse();

        assertThat(((Turn.Join<String>) second).waiting().await(LONG)).contains("answer");
    }

    @Test
    void whoGivesUpWaitsNoLonger() throws Exception {
        ResultCache<String>.Lead first = lead("a");
        ResultCache<String>.Wait waiting = join("a");

        waiting.giveUp();

        assertThat(waiting.await(LONG)).isEmpty();
        assertThat(join("a").await(Duration.ofMillis(1))).isEmpty();
        first.close();
    }

    @Test
    void manyAtOnceMakeItOnce() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<String>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(() -> obtain(made));
            }
            for (Future<String> each : threads.invokeAll(all)) {
                assertThat(each.get()).isEqualTo("made");
            }
        }
        assertThat(made).hasValue(1);
    }

    private String obtain(AtomicInteger made) throws InterruptedException {
        return switch (cache.enter("a", ANY_AGE)) {
            case Turn.Hit<String> hit -> hit.value();
            case Turn.Join<String> join -> join.waiting().await(LONG).orElse("nothing");
            case Turn.Make<String> make -> {
                Thread.sleep(50);
                made.incrementAndGet();
                make.lead().land("made");
                yield "made";
            }
        };
    }

    private void make(String key, String value) {
        make(key, value, ANY_AGE);
    }

    private void make(String key, String value, Optional<Duration> maxAge) {
        Turn<String> turn = cache.enter(key, maxAge);
        if (turn instanceof Turn.Hit<String>) {
            // as a call that began before the answer was there
            turn = cache.enter(key, Optional.of(Duration.ofNanos(-1)));
        }
        assertThat(((Turn.Make<String>) turn).lead().land(value)).isTrue();
    }

    private ResultCache<String>.Lead lead(String key) {
        return ((Turn.Make<String>) cache.enter(key, ANY_AGE)).lead();
    }

    private ResultCache<String>.Wait join(String key) {
        return ((Turn.Join<String>) cache.enter(key, ANY_AGE)).waiting();
    }
}
