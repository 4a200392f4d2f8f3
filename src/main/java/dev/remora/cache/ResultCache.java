package dev.remora.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Answers by the fingerprint of all that they depend on: in memory, bounded in bytes, the least recently used goes
/// first. `this` guards all fields.
///
/// Of several who ask for one that is not there, the first gets a [Lead] and makes it; the others [Wait], and get what
/// he made. When he makes none (it failed, or nobody may see it again), one of those who wait leads next. So a failure
/// is never shared and never kept.
public final class ResultCache<V> {
    /// What an answer takes besides its own bytes.
    private static final long OVERHEAD = 512;

    private final long mostBytes;
    private final ToLongFunction<V> weight;
    private final LongSupplier nanoTime;
    private final Map<String, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Lead> leads = new HashMap<>();
    private long bytes;

    private record Entry<V>(V value, long bytes, long madeNanos) {}

    /// @param mostBytes 0: nothing is kept, but those who ask at once still share
    /// @param weight an answer's size in bytes
    public ResultCache(long mostBytes, ToLongFunction<V> weight, LongSupplier nanoTime) {
        this.mostBytes = mostBytes;
        this.weight = weight;
        this.nanoTime = nanoTime;
    }

    /// What became of a question.
    public sealed interface Turn<V> {
        /// An answer is there.
        record Hit<V>(V value, Duration age) implements Turn<V> {}

        /// Who asks makes the answer.
        ///
        /// @param expired whether there was one that is too old
        record Make<V>(ResultCache<V>.Lead lead, boolean expired) implements Turn<V> {}

        /// Somebody makes it now.
        record Join<V>(ResultCache<V>.Wait waiting) implements Turn<V> {}
    }

    /// Looks without taking a turn.
    public synchronized Optional<Turn.Hit<V>> find(String key, Optional<Duration> maxAge) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        Duration age = Duration.ofNanos(nanoTime.getAsLong() - entry.madeNanos());
        boolean old = maxAge.isPresent() && age.compareTo(maxAge.get()) > 0;
        return old ? Optional.empty() : Optional.of(new Turn.Hit<>(entry.value(), age));
    }

    /// Asks for the answer.
    public synchronized Turn<V> enter(String key, Optional<Duration> maxAge) {
        Optional<Turn.Hit<V>> hit = find(key, maxAge);
        if (hit.isPresent()) {
            return hit.get();
        }
        boolean expired = entries.containsKey(key);
        Lead leading = leads.get(key);
        if (leading != null) {
            Wait waiting = new Wait();
            leading.waiting.add(waiting);
            return new Turn.Join<>(waiting);
        }
        Lead lead = new Lead(key);
        leads.put(key, lead);
        return new Turn.Make<>(lead, expired);
    }

    private synchronized boolean land(Lead lead, @Nullable V value) {
        if (!leads.remove(lead.key, lead)) {
            return false;
        }
        boolean kept = value != null && keep(lead.key, value);
        lead.waiting.forEach(waiting -> waiting.tell(value));
        return kept;
    }

    private boolean keep(String key, V value) {
        Entry<V> entry = new Entry<>(value, weight.applyAsLong(value) + OVERHEAD, nanoTime.getAsLong());
        if (entry.bytes() > mostBytes) {
            return false;
        }
        Entry<V> before = entries.put(key, entry);
        bytes += entry.bytes() - (before == null ? 0 : before.bytes());
        var oldest = entries.values().iterator();
        while (bytes > mostBytes) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
        return true;
    }

    /// How many answers are kept.
    public synchronized int size() {
        return entries.size();
    }

    /// What they take, about.
    public synchronized long bytes() {
        return bytes;
    }

    /// The right and duty to make one answer. Closed without one, the next who waits makes it.
    public final class Lead implements AutoCloseable {
        private final String key;
        private final List<Wait> waiting = new ArrayList<>();

        private Lead(String key) {
            this.key = key;
        }

        /// Gives the answer to those who wait, and keeps it for those who come.
        ///
        /// @return whether there was room to keep it
        public boolean land(V value) {
            return ResultCache.this.land(this, value);
        }

        @Override
        public void close() {
            boolean _ = ResultCache.this.land(this, null);
        }
    }

    /// A place among those who wait for an answer that is being made.
    public final class Wait {
        private final CountDownLatch told = new CountDownLatch(1);
        private volatile @Nullable V value;

        private Wait() {}

        private void tell(@Nullable V made) {
            value = made;
            told.countDown();
        }

        /// Ends the waiting, from any thread.
        public void giveUp() {
            told.countDown();
        }

        /// The answer; empty when none was made, the time is over, or [#giveUp] was called.
        public Optional<V> await(Duration longest) throws InterruptedException {
            boolean _ = told.await(longest.toNanos(), TimeUnit.NANOSECONDS);
            return Optional.ofNullable(value);
        }
    }
}
