package dev.remora.process;

import dev.remora.posix.Libc;
import dev.remora.posix.Processes;
import dev.remora.process.ProcessSettings.Containment;
import dev.remora.process.ProcessSettings.Ending;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.KernelSupport;
import dev.remora.sandbox.Sandbox;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Renders on Linux. Makes this process a subreaper, so that whatever a render starts and abandons becomes our child.
final class LinuxHost implements ProcessHost {
    private final RenderParts parts;
    private final Orphans orphans;
    private final boolean domains;
    private final KernelSupport kernel;
    private final Sandbox sandbox;
    private final Optional<OrphanReaper> reaper;
    private final Set<ContainedTree> trees = ConcurrentHashMap.newKeySet();
    private final Set<StandingProcess> standing = ConcurrentHashMap.newKeySet();

    LinuxHost(ProcessSettings settings, ControlGroups groups) {
        Libc.link();
        ProcessTable table = new ProcessTable();
        kernel = KernelSupport.probe();
        domains = settings.containment() == Containment.BEST && kernel.has(KernelSupport.Layer.SIGNALS);
        sandbox = new Sandbox(kernel, domains);
        orphans = new Orphans(table);
        if (settings.ending() == Ending.WHOLE_TREE || settings.reapOrphans()) {
            Processes.becomeSubreaper();
        }
        reaper = settings.reapOrphans() ? Optional.of(new OrphanReaper(table, orphans)) : Optional.empty();
        parts = new RenderParts(
                settings,
                new Porter(),
                new ProgramLookup(settings.searchPath()),
                table,
                new ProcessesPerUser(),
                MemoryEvents.find(),
                groups,
                new AtomicLong());
    }

    /// Why not, if not.
    static Optional<String> unsupported() {
        return Libc.unsupported();
    }

    @Override
    public ProcessTree open(String marker, CommandLimits limits, Fence fence) {
        RenderThread render = new RenderThread(parts, limits, fence, members());
        return ContainedTree.start(parts.porter(), render, marker, trees);
    }

    @Override
    public Optional<StandingProcess> stand(
            String marker, CommandLimits limits, Fence fence, Command command, Consumer<Answer.Gone> whenGone) {
        if (parts.settings().ending() == Ending.AS_ARGOCD) {
            return Optional.empty();
        }
        StandingThread thread = new StandingThread(parts, limits, fence, members(), command);
        return Optional.of(StandingProcess.start(parts.porter(), thread, marker, standing, whenGone));
    }

    private Members members() {
        return domains
                ? new DomainMembers(parts.table(), orphans, sandbox)
                : new MarkedMembers(
                        parts.table(), orphans, sandbox, UUID.randomUUID().toString());
    }

    @Override
    public long unended() {
        return parts.unended().get();
    }

    @Override
    public boolean seesEverything() {
        return domains;
    }

    @Override
    public boolean contained() {
        return true;
    }

    @Override
    public String describe() {
        String how = domains
                ? "a signal domain per render (Landlock ABI " + kernel.landlock() + ")"
                : "marker and descent, best effort: " + whyNoDomains();
        String ending = parts.settings().ending() == Ending.WHOLE_TREE
                ? "nothing outlives its render"
                : "only a command's process group is ended, as by Argo CD";
        String who = ProcessTable.self() == 1 ? "process 1" : "subreaper";
        String reaping = reaper.isPresent() ? "orphans are reaped as " + who : "orphans of others are not reaped";
        return "processes: " + how + "; " + ending + "; " + reaping;
    }

    private String whyNoDomains() {
        return parts.settings().containment() == Containment.MARKER
                ? "by request"
                : KernelSupport.Layer.SIGNALS.since() + " is needed, this kernel has " + kernel.landlock();
    }

    @Override
    public KernelSupport kernel() {
        return kernel;
    }

    @Override
    public void close() {
        trees.forEach(ContainedTree::hurry);
        standing.forEach(process -> process.end(parts.settings().closeGrace()));
        trees.forEach(ContainedTree::join);
        standing.forEach(StandingProcess::awaitEnd);
        reaper.ifPresent(OrphanReaper::close);
        parts.porter().close();
        orphans.close();
        sandbox.close();
    }
}
