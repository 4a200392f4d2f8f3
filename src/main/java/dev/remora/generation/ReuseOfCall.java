package dev.remora.generation;

import dev.remora.cache.ResultCache.Turn;
import dev.remora.cache.ReuseReport;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.telemetry.Phases;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// One call's use of earlier answers. Changed by the one thread that serves the call.
///
/// ```java
/// Optional<GeneratedManifests> known = reuse.known();      // then the archive need only prove its checksum
/// ...                                                       // else it is unpacked, and
/// GeneratedManifests answer = reuse.answer(digestOfInputs, time, cancellation, work);
/// ```
public final class ReuseOfCall {
    /// A caller without a deadline does not wait longer than this for somebody else's render.
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final ResultReuse memory;
    private final ReuseQuestion question;
    private final Optional<ReuseKey> key;
    private ReuseReport report;

    ReuseOfCall(ResultReuse memory, ReuseQuestion question, ReuseReport report) {
        this.memory = memory;
        this.question = question;
        this.key = Optional.empty();
        this.report = report;
    }

    ReuseOfCall(ResultReuse memory, ReuseQuestion question, ReuseKey key) {
        this.memory = memory;
        this.question = question;
        this.key = Optional.of(key);
        this.report = ReuseReport.OFF;
    }

    /// Whether the digest of the inputs is of use.
    public boolean on() {
        return key.isPresent();
    }

    /// What became of it, as far as it is known.
    public ReuseReport report() {
        return report;
    }

    private Optional<Duration> maxAge() {
        return question.plugin().settings().cache().maxAge();
    }

    /// The answer that was made of an archive with the announced checksum. It may be given once the archive proves to
    /// have it.
    public Optional<GeneratedManifests> known() {
        Optional<Turn.Hit<GeneratedManifests>> hit = key.flatMap(own -> memory.inputs()
                .find(ResultReuse.inputsKey(question))
                .flatMap(inputs -> memory.results().find(own.fingerprint(inputs), maxAge())));
        hit.ifPresent(found -> report = kept(found));
        return hit.map(Turn.Hit::value);
    }

    private static ReuseReport kept(Turn.Hit<GeneratedManifests> hit) {
        return ReuseReport.hit("kept", "made " + Phases.seconds(hit.age()) + " ago");
    }

    /// The answer for inputs that are here: an earlier one, one that another call is making, or what `work` makes.
    ///
    /// @param unpacked the digest of the inputs, if the archive was looked into
    /// @param time how long the caller waits
    /// @param fit whether an answer may be given to others; asked before it is
    public GeneratedManifests answer(
            Optional<String> unpacked,
            CallTime time,
            Cancellation cancellation,
            Predicate<GeneratedManifests> fit,
            Supplier<GeneratedManifests> work) {
        if (key.isEmpty()) {
            return work.get();
        }
        ReuseKey own = key.get();
        unpacked.ifPresent(digest -> memory.inputs().put(ResultReuse.inputsKey(question), digest));
        Optional<String> known = memory.inputs().find(ResultReuse.inputsKey(question));
        if (known.isEmpty()) {
            report = ReuseReport.skipped("unread", "the archive was not looked into, and its inputs are not known");
            return work.get();
        }
        String inputs = known.get();
        String fingerprint = own.fingerprint(inputs);
        while (true) {
            switch (memory.results().enter(fingerprint, maxAge())) {
                case Turn.Hit<GeneratedManifests> hit -> {
                    report = kept(hit);
                    return hit.value();
                }
                case Turn.Make<GeneratedManifests> make -> {
                    return make(make, new ReuseKey.Made(own, inputs), time, cancellation, fit, work);
                }
                case Turn.Join<GeneratedManifests> join -> {
                    Optional<GeneratedManifests> shared = join(join, time, cancellation);
                    if (shared.isPresent()) {
                        report = ReuseReport.hit("shared", "another call was making it");
                        return shared.get();
                    }
                    if (over(time, cancellation)) {
                        // Nothing can be made in time either; the work says so in its own words.
                        report = ReuseReport.miss("waited", "another call was making it for too long");
                        return work.get();
                    }
                }
            }
        }
    }

    private GeneratedManifests make(
            Turn.Make<GeneratedManifests> turn,
            ReuseKey.Made made,
            CallTime time,
            Cancellation cancellation,
            Predicate<GeneratedManifests> fit,
            Supplier<GeneratedManifests> work) {
        String who = question.who();
        report = memory.last()
                .find(who)
                .map(before -> ReuseKey.difference(before, made, turn.expired()))
                .orElseGet(() -> ReuseReport.miss("first", "the first call of this Application"));
        memory.last().put(who, made);
        try (var lead = turn.lead()) {
            GeneratedManifests answer = work.get();
            if (over(time, cancellation) || !fit.test(answer)) {
                report = report.also("not kept, because the answer came too late or is too large");
            } else if (!lead.land(answer)) {
                report = report.also("not kept, because it is larger than --cache-size-mb");
            }
            return answer;
        }
    }

    private static Optional<GeneratedManifests> join(
            Turn.Join<GeneratedManifests> join, CallTime time, Cancellation cancellation) {
        try (var _ = cancellation.onCancel(join.waiting()::giveUp)) {
            return join.waiting().await(time.left().orElse(LONGEST_WAIT));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static boolean over(CallTime time, Cancellation cancellation) {
        return cancellation.isCancelled()
                || Thread.currentThread().isInterrupted()
                || time.left().map(left -> left.isNegative() || left.isZero()).orElse(false);
    }
}
