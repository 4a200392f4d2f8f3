package dev.remora.sidecar;

import dev.remora.cache.Remembered;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.FencePolicy;
import dev.remora.generation.ResultReuse;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.ControlGroups;
import dev.remora.process.ProcessSettings;
import dev.remora.process.ToolIdentity;
import dev.remora.protocol.EventLoops;
import dev.remora.sandbox.KernelSupport;
import dev.remora.sandbox.SystemFiles;
import dev.remora.telemetry.HttpEndpoints;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.Mask;
import dev.remora.telemetry.Meters;
import dev.remora.telemetry.Meters.Gauge;
import dev.remora.telemetry.OtlpTracing;
import dev.remora.telemetry.Phases;
import dev.remora.telemetry.PrometheusMeters;
import dev.remora.telemetry.Tracing;
import dev.remora.worker.WorkerPool;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.WorkspacePool;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// The plugin server: one socket for each definition, in one process.
///
/// Who starts it also catches SIGTERM and SIGINT and calls `stop` from there, then ends with exit code 0 once
/// `awaitStopped` returned.
public final class SidecarServer implements AutoCloseable {
    private static final Duration QUIET_BEFORE_COLLECTING = Duration.ofSeconds(2);

    private static final int LOOP_THREADS = 2;
    private static final long IDLE_WORKER_SECONDS = 5;
    /// The last bytes of the last answers leave within this; who does not read them does not hold a stop back.
    private static final long LAST_ANSWERS_MILLIS = 500;
    /// Verdicts of patterns, some 300 bytes each.
    private static final int MOST_VERDICTS = 8_192;
    /// After the grace, cancelled calls have this long to end their commands.
    private static final Duration CANCELLED = Duration.ofSeconds(3);

    private final ServerParts parts;
    private final ServedPlugins plugins;
    private final PluginPages pages;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Optional<HttpEndpoints> http;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private SidecarServer(ServeOptions options, Log log) {
        try {
            this.parts = parts(options, log);
            IsolationNotes.tellKernel(parts);
            ExecutorService executor = opened(workers());
            EventLoops loops = opened(new EventLoops("grpc", LOOP_THREADS));
            this.plugins = opened(new ServedPlugins(parts, loops, executor));
            this.pages = new PluginPages(parts, plugins, stopping::get);
            this.http = options.pagesAt().map(address -> opened(HttpEndpoints.open(address, pages.all())));
            plugins.open();
            opened(new SocketWatcher(plugins, parts.log(), options.times().reloadPoll()));
            if (options.rules().departures().departs(Departure.RELOAD)) {
                opened(new PluginWatcher(plugins, parts.log(), options.times().reloadPoll()));
            }
            warmUp(loops, executor);
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
        tellStart();
    }

    /// One platform thread a call. They unpack by system calls, which would hold the few carriers of virtual threads;
    /// and a render's thread may wake them directly.
    private static ExecutorService workers() {
        ThreadFactory threads = Thread.ofPlatform().daemon().name("call-", 1).factory();
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_WORKER_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }

    private void warmUp(EventLoops loops, ExecutorService executor) {
        int rounds = parts.options().rules().warmUp();
        if (rounds == 0) {
            return;
        }
        try {
            opened(WarmUp.start(parts, loops, executor, rounds));
        } catch (Fault fault) {
            parts.log().debug("no warm-up: " + Fault.words(fault));
        }
    }

    /// Reads the definitions, opens the sockets and serves. A fault means that nothing was left behind; the command
    /// then ends with exit code 20.
    public static SidecarServer start(ServeOptions options, Log log) {
        return new SidecarServer(options, log);
    }

    /// Reads the definitions as a start would; every broken rule of every file is in the one fault.
    public static Collection<PluginDefinition> rehearse(ServeOptions options) {
        return ServedPlugins.readAll(options).values();
    }

    /// As a start with `--require-sandbox` would.
    public static void refuseWithoutSandbox(ServeOptions options, KernelSupport kernel) {
        IsolationNotes.refuse(options, kernel);
    }

    private ServerParts parts(ServeOptions options, Log log) {
        Log masked = log.masking(Mask.ofEnvironment(options.surroundings().environment()));
        Meters meters = options.pagesAt().isPresent() ? new PrometheusMeters() : Meters.NONE;
        Tracing tracing = options.outlets().tracing().isPresent()
                ? opened(new OtlpTracing(options.outlets().tracing().get()))
                : Tracing.NONE;
        WorkRoot work = opened(WorkRoot.open(workRoot(options, masked)));
        WorkspacePool trees =
                opened(WorkspacePool.open(work, CallTree.recycling(options), notice -> masked.info(notice)));
        CommandEnvironment environment =
                CommandEnvironment.ofThisProcess(options.surroundings().exported());
        CommandRunner runner =
                opened(CommandRunner.open(processes(options, environment, log), ControlGroups.ofThisProcess()));
        WorkerPool workers = opened(new WorkerPool(runner, work, masked, meters));
        RunningCalls running = new RunningCalls();
        opened(new IdleMemory(running, System::gc, QUIET_BEFORE_COLLECTING));
        meters.watch(Gauge.RUNNING, "", running::count);
        meters.watch(Gauge.IDLE_TREES, "", trees::idleTrees);
        meters.watch(Gauge.IDLE_TREE_BYTES, "", trees::idleBytes);
        meters.watch(Gauge.IDLE_TREE_INODES, "", trees::idleInodes);
        meters.watch(
                Gauge.CHILDREN,
                "",
                () -> Math.toIntExact(ProcessHandle.current().descendants().count()));
        return new ServerParts(
                options,
                masked,
                meters,
                tracing,
                runner,
                environment,
                work,
                trees,
                running,
                reuse(options, environment, meters),
                new Remembered<>(MOST_VERDICTS),
                workers,
                fences(options));
    }

    private static ResultReuse reuse(ServeOptions options, CommandEnvironment environment, Meters meters) {
        Bytes path = environment.value("PATH").orElse(Bytes.EMPTY);
        ResultReuse reuse =
                new ResultReuse(options.rules().cacheBytes(), environment, new ToolIdentity(path), System::nanoTime);
        meters.watch(Gauge.KEPT_RESULTS, "", reuse::kept);
        meters.watch(Gauge.KEPT_BYTES, "", reuse::keptBytes);
        return reuse;
    }

    /// What is found on the machine opens none of these.
    private static FencePolicy fences(ServeOptions options) {
        List<Bytes> closed = Stream.of(
                        options.places().workDir(),
                        options.places().configDir(),
                        options.places().socketDir())
                .map(folder -> Bytes.utf8(folder.toString()))
                .toList();
        FencePolicy policy = new FencePolicy(
                options.rules().isolation().level(),
                new SystemFiles(options.surroundings().environment(), closed));
        return options.rules().departures().asArgoCd(Departure.PRIVILEGES) ? policy.asArgoCd() : policy;
    }

    private static WorkRootOptions workRoot(ServeOptions options, Log log) {
        return WorkRootOptions.at(
                        Bytes.utf8(options.places().workDir().toString()),
                        fault -> log.error(Fault.words(fault), LogKey.CODE.is(FaultCode.WORKSPACE.id())))
                .wiping(options.rules().departures().asArgoCd(Departure.SHARED_WORKDIR));
    }

    /// @param log unmasked
    private static ProcessSettings processes(ServeOptions options, CommandEnvironment environment, Log log) {
        Bytes path = environment.value("PATH").orElse(Bytes.EMPTY);
        Departures departures = options.rules().departures();
        ProcessSettings.Ending ending = departures.asArgoCd(Departure.KILL)
                ? ProcessSettings.Ending.AS_ARGOCD
                : ProcessSettings.Ending.WHOLE_TREE;
        ProcessSettings settings = ProcessSettings.standard(path).with(ending, departures.departs(Departure.REAP));
        if (departures.asArgoCd(Departure.LOG_OUTPUT)) {
            settings = settings.loggingTo(log);
        }
        return departures.asArgoCd(Departure.DEADLINE_CODE) ? settings.withoutDeadlineNames() : settings;
    }

    private void tellStart() {
        ServeOptions options = parts.options();
        if (options.outlets().httpListen().isPresent() && options.pagesAt().isEmpty()) {
            parts.log().warning("--http-listen does nothing, since --argocd=metrics switches pages and figures off");
        }
        for (ServedPlugins.State state : plugins.states()) {
            state.plugin()
                    .ifPresent(plugin -> plugin.definition()
                            .notes()
                            .forEach(note -> parts.log()
                                    .warning(
                                            note.toString(),
                                            LogKey.PLUGIN.is(plugin.definition().registeredName()))));
        }
        parts.log()
                .info(
                        "remora " + parts.options().surroundings().version() + " is serving "
                                + plugins.states().size()
                                + (plugins.states().size() == 1 ? " plugin" : " plugins"),
                        LogKey.PROCESSES.is(parts.runner().describe()),
                        LogKey.LIMITS.is(Map.of(
                                "ARGOCD_EXEC_TIMEOUT",
                                        Phases.seconds(parts.options().times().execTimeout()),
                                "ARGOCD_EXEC_FATAL_TIMEOUT",
                                        Phases.seconds(parts.options().times().fatalTimeout()),
                                "message_bytes", parts.answerBytes(),
                                "grace", Phases.seconds(parts.options().times().grace()))),
                        LogKey.DIR.is(parts.workRoot().path().toString()));
    }

    /// Where HTTP is served, when it is; a port of 0 has become a real one.
    public Optional<InetSocketAddress> httpAddress() {
        return http.map(HttpEndpoints::address);
    }

    /// Begins an orderly stop and returns at once: no new calls, running ones finish within the grace, then they are
    /// cancelled with `reason`; sockets are removed.
    ///
    /// With the departure `stop` switched back the sockets are removed, and that is all, as in Argo CD's server.
    public void stop(String reason) {
        if (parts.options().rules().departures().asArgoCd(Departure.STOP)) {
            parts.log().info(reason + ": sockets removed; going on, as --argocd=stop asks");
            plugins.removeSockets();
        } else {
            begin(reason);
        }
    }

    private void begin(String reason) {
        if (stopping.compareAndSet(false, true)) {
            Thread _ = Thread.ofPlatform().name("stop").start(() -> end(reason));
        }
    }

    private void end(String reason) {
        try {
            int running = parts.running().count();
            parts.log().info("stopping: " + reason + "; " + running + " call(s) may go on for " + grace());
            parts.running().refuseNew();
            plugins.refuseNew();
            if (!parts.running().awaitNone(parts.options().times().grace())) {
                int cancelled = parts.running()
                        .cancelAll("the plugin server is stopping (" + reason + ") and its grace of " + grace()
                                + " is over");
                parts.log().warning("stopping: cancelled " + cancelled + " call(s) after " + grace());
                boolean _ = parts.running()
                        .awaitNone(parts.options().times().fatalTimeout().plus(CANCELLED));
            }
            plugins.awaitQuiet(LAST_ANSWERS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeAll();
            parts.log().info("stopped");
            stopped.countDown();
        }
    }

    private String grace() {
        return parts.options().times().grace().toSeconds() + "s";
    }

    /// Waits for the end of a stop, however long until one is asked for.
    public void awaitStopped() throws InterruptedException {
        stopped.await();
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    private void closeAll() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                // What cannot be closed must not keep the rest open.
            }
        }
    }

    /// Stops, and waits until all is gone.
    @Override
    public void close() {
        begin("closed");
        try {
            awaitStopped();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
