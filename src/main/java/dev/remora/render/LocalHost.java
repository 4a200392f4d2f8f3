package dev.remora.render;

import dev.remora.archive.ArchiveReport;
import dev.remora.archive.EntryFilter;
import dev.remora.archive.EntrySink;
import dev.remora.archive.MissedInput;
import dev.remora.archive.NarrowedSink;
import dev.remora.archive.PackReport;
import dev.remora.archive.SkippedNames;
import dev.remora.archive.TarGzUnpacker;
import dev.remora.archive.UnpackOptions;
import dev.remora.cache.ReadTrace;
import dev.remora.cache.Reads;
import dev.remora.discovery.FolderQuestion;
import dev.remora.discovery.NameTreeSink;
import dev.remora.discovery.RepositoryMatcher;
import dev.remora.discovery.Unpacking;
import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.FencePolicy;
import dev.remora.generation.GeneratedManifests;
import dev.remora.generation.GenerationRequest;
import dev.remora.generation.ManifestGenerator;
import dev.remora.generation.ParameterAnnouncer;
import dev.remora.generation.ReplayScript;
import dev.remora.git.Loan;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.process.CallTime;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.Confinement;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs a definition in this process, without socket, as the sidecar runs it: the folder is packed and unpacked into a
/// work folder by the same rules, so modes, links and exclusions are what the sidecar's commands would see, and nothing
/// is ever written into the user's folder.
public final class LocalHost implements PluginHost {
    private final PluginDefinition plugin;
    private final LocalSettings settings;
    private final CommandRunner runner;
    private final CommandEnvironment own;
    private final WorkFolders folders;
    private final boolean ownFolders;

    /// @param runner stays the caller's to close
    public LocalHost(PluginDefinition plugin, LocalSettings settings, CommandRunner runner, CommandEnvironment own) {
        this(
                plugin,
                settings,
                runner,
                own,
                new WorkFolders(settings.workBase(), RecycleOptions.OFF, runner, _ -> {}),
                true);
    }

    /// As above, with work folders that many hosts share.
    ///
    /// @param folders stay the caller's to close
    public LocalHost(
            PluginDefinition plugin,
            LocalSettings settings,
            CommandRunner runner,
            CommandEnvironment own,
            WorkFolders folders) {
        this(plugin, settings, runner, own, folders, false);
    }

    private LocalHost(
            PluginDefinition plugin,
            LocalSettings settings,
            CommandRunner runner,
            CommandEnvironment own,
            WorkFolders folders,
            boolean ownFolders) {
        this.plugin = plugin;
        this.settings = settings;
        this.runner = runner;
        this.own = own;
        this.folders = folders;
        this.ownFolders = ownFolders;
    }

    @Override
    public String name() {
        return plugin.registeredName();
    }

    @Override
    public Verdict match(RenderRequest request, Phases phases) {
        RepositoryMatcher matcher = new RepositoryMatcher(plugin, settings.departures(), this::variable);
        if (!settings.linux() && matcher.needs() != RepositoryMatcher.Needs.FOLDER) {
            return matchNames(matcher, request, phases);
        }
        CallTime time = time(request);
        try (WorkFolder work = workFolder(request)) {
            Filled filled = fill(work, request, phases, settings.linux() ? RootedPath::resolved : RootedPath::lexical);
            FolderQuestion question = new FolderQuestion(
                    filled.application(), request.environment(), confined(work, request), time, request.cancellation());
            return filled.explaining(() -> matcher.onFolder(question, runner, own, settings.answerBytes(), phases));
        }
    }

    @Override
    public List<ManifestDocument> generate(RenderRequest whole, Phases phases) {
        return generate(whole, phases, stderr -> {});
    }

    /// As above.
    ///
    /// @param said takes what the generate command said on standard error, when it succeeded
    public List<ManifestDocument> generate(RenderRequest whole, Phases phases, Consumer<String> said) {
        RenderRequest request = whole.narrowed();
        plugin.requireProject(request.project());
        CallTime time = time(request);
        try (WorkFolder work = workFolder(request);
                Loan loan = loan(request, work)) {
            Filled filled = fill(work, request, phases, RootedPath::lexical);
            settings.keep().ifPresent(keep -> writeReplay(keep, generation(request, filled.application(), work, time)));
            GenerationRequest generation = generation(request.with(loan.variables()), filled.application(), work, time);
            ManifestGenerator generator =
                    new ManifestGenerator(runner, own, settings.departures(), settings.answerBytes());
            return loan.hiding(() -> filled.explaining(() -> {
                GeneratedManifests generated = generator.generate(generation, phases);
                said.accept(generated.stderr());
                return generated.documents();
            }));
        }
    }

    /// Lets somebody look around where `generate` would run: after `init`, in the same work folder, behind the same
    /// fence and with the same environment, but without logins that are lent for a call.
    ///
    /// @param attended what runs instead of `generate`, without a time limit
    public void attend(RenderRequest whole, Phases phases, CommandSpec attended) {
        RenderRequest request = whole.narrowed();
        plugin.requireProject(request.project());
        CallTime time = CallTime.startingNow(Optional.empty(), settings.timeouts());
        try (WorkFolder work = workFolder(request)) {
            Filled filled = fill(work, request, phases, RootedPath::lexical);
            GenerationRequest generation = generation(request, filled.application(), work, time);
            new ManifestGenerator(runner, own, settings.departures(), settings.answerBytes())
                    .attend(generation, phases, attended);
        }
    }

    /// For this call only, so it is no part of what is kept to do the render again.
    private Loan loan(RenderRequest request, WorkFolder work) {
        if (!plugin.provideGitCreds() || request.logins().isEmpty()) {
            return Loan.ofNothing();
        }
        Optional<Path> readable =
                settings.linux() ? Optional.of(Path.of(work.privateTmp().toString())) : Optional.empty();
        return request.logins().here(readable, variable("PATH"));
    }

    /// What a render opened.
    ///
    /// @param failure how it ended, when it failed; what it opened until then is told all the same
    public record Traced(Reads reads, Optional<Fault> failure) {}

    /// Renders with the whole folder at hand, whatever `remora.inputs` says, and tells which files the commands opened.
    ///
    /// @throws Fault where the render cannot even begin
    public Traced trace(RenderRequest request, Phases phases) {
        plugin.requireProject(request.project());
        CallTime time = time(request);
        UnpackOptions all = unpacking(request.path()).seeing(EntryFilter.ALL);
        try (WorkFolder work = workFolder(request, all)) {
            Filled filled = fill(work, request, phases, RootedPath::lexical, all);
            ManifestGenerator generator =
                    new ManifestGenerator(runner, own, settings.departures(), settings.answerBytes());
            Optional<Fault> failure = Optional.empty();
            try (ReadTrace trace = ReadTrace.begin(work.path())) {
                try {
                    generator.generate(generation(request, filled.application(), work, time), phases);
                } catch (Fault fault) {
                    failure = Optional.of(fault);
                }
                return new Traced(trace.end(), failure);
            }
        }
    }

    @Override
    public List<ParameterAnnouncement> announce(RenderRequest request, Phases phases) {
        if (!plugin.dynamicParameters().defined()) {
            return plugin.staticParameters();
        }
        CallTime time = time(request);
        try (WorkFolder work = workFolder(request)) {
            Filled filled = fill(work, request, phases, RootedPath::lexical);
            ParameterAnnouncer announcer = new ParameterAnnouncer(runner, own, settings.answerBytes());
            return filled.explaining(
                    () -> announcer.announce(generation(request, filled.application(), work, time), phases));
        }
    }

    @Override
    public void close() {
        if (ownFolders) {
            folders.close();
        }
    }

    /// Judged on the names, as the sidecar judges an archive that passes.
    private Verdict matchNames(RepositoryMatcher matcher, RenderRequest request, Phases phases) {
        UnpackOptions options = unpacking(request.path());
        try (NameTreeSink names = matcher.names(request.path(), options)) {
            EntrySink sink = options.inputs()
                    .narrowing(names)
                    .<EntrySink>map(each -> each)
                    .orElse(names);
            phases.time(Phase.DISCOVER, () -> PlainWalk.feed(request.folder(), sink));
            return matcher.onNames(names);
        }
    }

    private WorkFolder workFolder(RenderRequest request) {
        return workFolder(request, unpacking(request.path()));
    }

    private WorkFolder workFolder(RenderRequest request, UnpackOptions options) {
        if (!settings.linux()) {
            return PlainWorkFolder.open(settings.workBase(), settings.keep());
        }
        return settings.keep().map(WorkFolder::kept).orElseGet(() -> folders.lend(request, options));
    }

    private CallTime time(RenderRequest request) {
        return CallTime.startingNow(request.timeout(), settings.timeouts());
    }

    private GenerationRequest generation(
            RenderRequest request, RootedPath application, WorkFolder work, CallTime time) {
        return new GenerationRequest(
                plugin,
                application.path(),
                request.environment(),
                confined(work, request),
                time,
                request.cancellation());
    }

    private Confinement confined(WorkFolder work, RenderRequest request) {
        return settings.linux()
                ? settings.fences().confine(plugin, new RenderFolders(work, request.beside()))
                : Confinement.NONE;
    }

    /// The folders of one render.
    private record RenderFolders(WorkFolder work, List<Bytes> readable) implements FencePolicy.Folders {
        @Override
        public Bytes tree() {
            return work.tree();
        }

        @Override
        public Bytes privateHome() {
            return work.privateHome();
        }

        @Override
        public Bytes privateTmp() {
            return work.privateTmp();
        }
    }

    /// The folder as it arrives in a sidecar, and the application's place in it: proven by text for what runs there, by
    /// walking for what is asked there, as Argo CD's server does.
    private Filled fill(
            WorkFolder work, RenderRequest request, Phases phases, BiFunction<Bytes, Bytes, RootedPath> proof) {
        return fill(work, request, phases, proof, unpacking(request.path()));
    }

    private Filled fill(
            WorkFolder work,
            RenderRequest request,
            Phases phases,
            BiFunction<Bytes, Bytes, RootedPath> proof,
            UnpackOptions options) {
        Filled filled = phases.time(Phase.UNPACK, () -> {
            if (!work.isFilled()) {
                copy(work, request, options);
                work.filled();
            }
            return new Filled(request.folder(), options, proof.apply(work.path(), request.path()));
        });
        return filled;
    }

    /// A work folder with what the request lets through, and where commands run in it.
    private record Filled(SourceFolder folder, UnpackOptions options, RootedPath application) {
        /// What `work` gives; a fault that it ends with is explained by what was left out, which is looked for only
        /// then.
        <T> T explaining(Supplier<T> work) {
            try {
                return work.get();
            } catch (Fault fault) {
                if (options.inputs().all()) {
                    throw fault;
                }
                return new MissedInput(leftOut(), application).explaining(() -> {
                    throw fault;
                });
            }
        }

        private SkippedNames leftOut() {
            try (EntrySink nowhere = new NoSink()) {
                return options.inputs()
                        .narrowing(nowhere)
                        .map(narrowed -> {
                            long _ = PlainWalk.feed(folder, narrowed);
                            return narrowed.skipped();
                        })
                        .orElse(SkippedNames.NONE);
            }
        }
    }

    /// A variable of this process, which zglob patterns see.
    private String variable(String name) {
        Bytes prefix = Bytes.utf8(name + "=");
        return own.own().stream()
                .filter(assignment -> assignment.startsWith(prefix))
                .reduce((first, last) -> last)
                .map(assignment ->
                        assignment.slice(prefix.length(), assignment.length()).toString())
                .orElse("");
    }

    private void copy(WorkFolder work, RenderRequest request, UnpackOptions options) {
        if (settings.linux()) {
            packed(work, request, options);
        } else {
            walked(work, request.folder(), options);
        }
    }

    private static void packed(WorkFolder work, RenderRequest request, UnpackOptions options) {
        SourceFolder folder = request.folder();
        // Where the whole is counted or has to be looked at for another reason, it comes.
        boolean part = folder.exclusions().isEmpty()
                && folder.listed().isEmpty()
                && request.sent().filter(sent -> sent.fits(options.limits())).isPresent();
        try (TarGzUnpacker unpacker = new TarGzUnpacker(work.sink(options), options)) {
            PackReport _ = folder.packForHere(
                    new UnpackingStream(unpacker), part ? options.inputs() : EntryFilter.ALL, options.limits());
            ArchiveReport _ = unpacker.finish();
        } catch (IOException e) {
            throw new Fault(FaultCode.INTERNAL, "packing into memory: " + Fault.words(e), e);
        }
    }

    private static void walked(WorkFolder work, SourceFolder folder, UnpackOptions options) {
        try (EntrySink sink = work.sink(options)) {
            Optional<NarrowedSink> narrowed = options.inputs().narrowing(sink);
            folder.requireFiles(
                    PlainWalk.feed(folder, narrowed.<EntrySink>map(each -> each).orElse(sink)));
        }
    }

    /// Before the commands run, so that it is there however they end.
    private void writeReplay(Bytes keep, GenerationRequest generation) {
        Bytes relative = generation
                .application()
                .slice(keep.length() + 1, generation.application().length());
        ReplayScript script = new ReplayScript(plugin, relative, generation.commandEnvironment(own));
        Path file = Path.of(keep.toString(), ReplayScript.NAME);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(ReplayScript.OWNER_ONLY));
            Files.write(file, script.text());
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot write " + file + ": " + Fault.words(e), e);
        }
    }

    private UnpackOptions unpacking(Bytes application) {
        return Unpacking.options(plugin, application, settings.departures(), false);
    }
}
