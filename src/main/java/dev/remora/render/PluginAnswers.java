package dev.remora.render;

import dev.remora.archive.EntryFilter;
import dev.remora.cache.Fingerprint;
import dev.remora.cache.ResultCache;
import dev.remora.cache.ResultCache.Turn;
import dev.remora.cache.SealedFolder;
import dev.remora.generation.NoCache;
import dev.remora.generation.ReuseKey;
import dev.remora.generation.ReuseQuestion;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.PluginDefinition;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.ToolIdentity;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Answers that plugins gave before, in this run or, where a folder was named, in an earlier one. See
/// `docs/concepts/caching.md`.
///
/// Several sources that ask the very same at once share one render. What is kept is only what a plugin answered in
/// good order: no failure, nothing of a render that was cancelled, nothing that was made with a lent login, which
/// another user of the key may not have; and nothing of a server, whose plugin is not known.
///
/// Threads may share it.
public final class PluginAnswers {
    /// What answers may take in memory; the heap also holds those that are being made.
    public static final long MEMORY_BYTES = 32L << 20;

    /// A caller without a limit does not wait longer than this for somebody else's render.
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final Use use;
    private final Optional<SealedFolder> folder;
    private final CommandEnvironment own;
    private final ToolIdentity tools;
    private final String how;
    private final InstantSource clock;
    private final ResultCache<KeptAnswer> memory = new ResultCache<>(MEMORY_BYTES, KeptAnswer::bytes, System::nanoTime);

    /// What is done with earlier answers.
    public enum Use {
        /// They are given.
        GIVE,
        /// They are made anew, and kept.
        RENEW,
        /// Every answer is made anew and none is kept; it is only told whether there is one.
        LOOK
    }

    /// @param folder where answers outlive the run; stays the caller's to close
    /// @param own this process's environment
    /// @param how what decides about answers beside plugin and request: version, departures, fence
    public PluginAnswers(
            Use use,
            Optional<SealedFolder> folder,
            CommandEnvironment own,
            ToolIdentity tools,
            String how,
            InstantSource clock) {
        this.use = use;
        this.folder = folder;
        this.own = own;
        this.tools = tools;
        this.how = how;
        this.clock = clock;
    }

    /// What became of a question.
    ///
    /// @param age of an answer that was not made now
    record Given(List<ManifestDocument> documents, Optional<Duration> age) {}

    /// Whether an earlier answer would be given.
    public sealed interface Look {
        /// Nothing is kept for this source.
        ///
        /// @param reason the rest of a sentence
        record Never(String reason) implements Look {}

        /// There is one.
        record Hit(AnswerKey key, Duration age) implements Look {}

        /// There is none.
        ///
        /// @param before what the last one for this source was known by
        record Miss(AnswerKey key, Optional<AnswerKey> before) implements Look {}
    }

    /// An earlier answer, or what `work` makes.
    ///
    /// @param warn is told what people should know of kept answers
    Given answer(AnswerQuestion question, Consumer<String> warn, Supplier<List<ManifestDocument>> work) {
        if (use == Use.LOOK
                || !(question.plugin() instanceof KnownPlugin.Definition definition)
                || unkept(question).isPresent()) {
            return new Given(work.get(), Optional.empty());
        }
        PluginDefinition plugin = definition.plugin();
        Cancellation cancellation = question.request().cancellation();
        AnswerKey key = key(question, plugin);
        String fingerprint = key.fingerprint();
        Optional<Duration> maxAge = plugin.settings().cache().maxAge();
        while (true) {
            switch (memory.enter(fingerprint, maxAge)) {
                case Turn.Hit<KeptAnswer>(KeptAnswer answer, Duration _) -> {
                    return given(answer);
                }
                case Turn.Make<KeptAnswer>(var lead, boolean _) -> {
                    try (lead) {
                        return make(question, key, maxAge, lead, warn, work);
                    }
                }
                case Turn.Join<KeptAnswer>(var waiting) -> {
                    Optional<KeptAnswer> shared = join(waiting, question.request());
                    if (shared.isPresent()) {
                        return given(shared.get());
                    }
                    if (isOver(cancellation)) {
                        // the work says so in its own words
                        return new Given(work.get(), Optional.empty());
                    }
                }
            }
        }
    }

    private Given given(KeptAnswer answer) {
        return new Given(answer.documents(), Optional.of(answer.age(clock.instant())));
    }

    private Given make(
            AnswerQuestion question,
            AnswerKey key,
            Optional<Duration> maxAge,
            ResultCache<KeptAnswer>.Lead lead,
            Consumer<String> warn,
            Supplier<List<ManifestDocument>> work) {
        Optional<KeptAnswer> before = use == Use.RENEW ? Optional.empty() : stored(key, maxAge, warn);
        if (before.isPresent()) {
            if (maxAge.isEmpty()) {
                // Memory counts an answer's age from now on, so one that grows old stays in the folder.
                lead.land(before.get());
            }
            return given(before.get());
        }
        List<ManifestDocument> documents = work.get();
        if (!isOver(question.request().cancellation())) {
            KeptAnswer made = new KeptAnswer(documents, clock.instant());
            lead.land(made);
            folder.ifPresent(to -> {
                if (to.put(answerName(key), made.text(), warn)) {
                    to.put(lastName(question), KeptAnswer.text(key), warn);
                }
            });
        }
        return new Given(documents, Optional.empty());
    }

    private static boolean isOver(Cancellation cancellation) {
        return cancellation.isCancelled() || Thread.currentThread().isInterrupted();
    }

    private static Optional<KeptAnswer> join(ResultCache<KeptAnswer>.Wait waiting, RenderRequest request) {
        try (var _ = request.cancellation().onCancel(waiting::giveUp)) {
            return waiting.await(request.timeout().orElse(LONGEST_WAIT));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// One in the folder that is young enough.
    private Optional<KeptAnswer> stored(AnswerKey key, Optional<Duration> maxAge, Consumer<String> warn) {
        return folder.flatMap(from -> from.find(answerName(key), warn))
                .flatMap(text -> read(text, KeptAnswer::read, warn))
                .filter(answer -> maxAge.map(most -> answer.age(clock.instant()).compareTo(most) <= 0)
                        .orElse(true));
    }

    private interface Reading<T> {
        T read(byte[] text) throws IOException;
    }

    private static <T> Optional<T> read(byte[] text, Reading<T> reading, Consumer<String> warn) {
        try {
            return Optional.of(reading.read(text));
        } catch (IOException e) {
            warn.accept("a kept answer is not used: " + dev.remora.fault.Fault.words(e));
            return Optional.empty();
        }
    }

    private static String answerName(AnswerKey key) {
        return "answer " + key.fingerprint();
    }

    private static String lastName(AnswerQuestion question) {
        return "last " + question.who();
    }

    /// Whether there is an answer, and what it is known by.
    Look look(AnswerQuestion question, Consumer<String> warn) {
        Optional<String> reason = unkept(question);
        if (reason.isPresent() || !(question.plugin() instanceof KnownPlugin.Definition definition)) {
            return new Look.Never(reason.orElse(""));
        }
        AnswerKey key = key(question, definition.plugin());
        Optional<KeptAnswer> found =
                stored(key, definition.plugin().settings().cache().maxAge(), warn);
        if (found.isPresent()) {
            return new Look.Hit(key, found.get().age(clock.instant()));
        }
        return new Look.Miss(
                key,
                folder.flatMap(from -> from.find(lastName(question), warn))
                        .flatMap(text -> read(text, KeptAnswer::readKey, warn)));
    }

    private static Optional<String> unkept(AnswerQuestion question) {
        return switch (question.plugin()) {
            case KnownPlugin.Socket socket ->
                Optional.of("the server at " + socket.socket() + " does not tell which definition and tools it has");
            case KnownPlugin.Definition(PluginDefinition plugin, String _) ->
                plugin.provideGitCreds() && !question.request().logins().isEmpty()
                        ? Optional.of("the plugin gets a login (provideGitCreds)")
                        : NoCache.asked(question.request().environment()).map(name -> name + " is set");
        };
    }

    private AnswerKey key(AnswerQuestion question, PluginDefinition plugin) {
        RenderRequest request = question.request();
        RenderRequest narrowed = request.narrowed();
        EntryFilter inputs = EntryFilter.of(plugin.settings().inputs().patterns(), narrowed.path());
        Map<String, String> parts = new HashMap<>(question.parts());
        parts.put("files", request.sent().orElseThrow().digest(narrowed, inputs));
        parts.put("how", new Fingerprint().add(how).hex());
        ReuseKey key = ReuseKey.of(
                new ReuseQuestion(
                        plugin, request.application(), request.project(), request.path(), "", request.environment()),
                own,
                tools);
        return AnswerKey.of(key, parts);
    }
}
