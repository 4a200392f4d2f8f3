package dev.remora.cli;

import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.posix.Bytes;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.PinnedFile;
import dev.remora.process.CommandRunner;
import dev.remora.render.PluginHost;
import dev.remora.sandbox.Access;
import dev.remora.sandbox.AccessWatch;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.FileFence;
import dev.remora.telemetry.Phases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `explain --sandbox`: runs a definition once, with the variables of a strict render but no fence, watches what its
/// commands ask of the kernel, and proposes the `sandbox:` block that lets them.
///
/// Not for several threads.
final class SandboxReport {
    private final FolderWork work;
    private final PluginReference.Definition plugin;
    private final Console console;
    private final SettingValues settings;
    private final List<Fence.Watched> watched = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private Optional<Fault> failed = Optional.empty();

    SandboxReport(FolderWork work, PluginReference plugin, Console console, SettingValues settings) {
        if (!(plugin instanceof PluginReference.Definition definition)) {
            throw new Fault(
                    FaultCode.USAGE, "--sandbox needs the plugin's file: it watches commands that are run here");
        }
        if (!work.runner().contained()) {
            throw new Fault(FaultCode.UNSUPPORTED_SYSTEM, "--sandbox needs Linux, whose kernel tells what is asked");
        }
        this.work = work;
        this.plugin = definition;
        this.console = console;
        this.settings = settings;
    }

    /// Before anything is run behind a fence: that hides this process's memory, which a command shares until it is
    /// executed.
    void watch() {
        failed = run();
        watched.forEach(fence -> fence.watch().close());
    }

    /// Adds the proposal; gives the fault of a run that failed. What was needed until then is proposed all the same.
    Optional<Fault> into(Tree tree, Map<String, Object> json) {
        List<Access> accesses = watched.stream()
                .flatMap(fence -> fence.watch().accesses().stream())
                .distinct()
                .toList();
        SandboxProposal proposal = new SandboxProposal(accesses, granted(), SandboxReport::real);
        List<String> notes = new ArrayList<>(proposal.notes());
        notes.addAll(incomplete());
        if (failed.isPresent()) {
            notes.add("it failed, and what it needs after that is not known");
        }
        lines.addAll(proposal.yaml());
        Tree branch = tree.branch("sandbox: " + accesses.size() + " different accesses seen; strict renders get what"
                + " they need by the block below");
        notes.forEach(note -> branch.branch("note: " + note));
        Map<String, Object> sandbox = new LinkedHashMap<>();
        sandbox.put("block", proposal.json());
        sandbox.put("reasons", proposal.reasons());
        sandbox.put("yaml", String.join("\n", lines) + "\n");
        sandbox.put("notes", notes);
        sandbox.put("complete", failed.isEmpty() && incomplete().isEmpty());
        json.put("sandbox", sandbox);
        return failed;
    }

    /// The block as text to be copied; after [#into].
    String block() {
        return "\n" + String.join("\n", lines) + "\n";
    }

    /// All that the sandbox would hold: a command that discovers, dynamic parameters, the render.
    private Optional<Fault> run() {
        CommandRunner watching = work.runner().fencedBy(this::watch);
        try (PluginHost host = work.strictHost(plugin, watching)) {
            String label = work.options().name() + "  " + host.name();
            return Progress.during(console, settings, label, () -> {
                Phases phases = new Phases();
                if (plugin.plugin().discoverRule().stream().anyMatch(DiscoverRule.FindCommand.class::isInstance)) {
                    Verdict _ = host.match(work.request(), phases);
                }
                if (plugin.plugin().dynamicParameters().defined()) {
                    List<ParameterAnnouncement> _ = host.announce(work.request(), phases);
                }
                List<ManifestDocument> _ = host.generate(work.request(), phases);
                return Optional.<Fault>empty();
            });
        } catch (Fault fault) {
            return Optional.of(fault);
        }
    }

    private Fence watch(Fence instead) {
        Fence.Watched fence = new Fence.Watched(AccessWatch.open(), instead);
        watched.add(fence);
        return fence;
    }

    private List<String> incomplete() {
        List<String> why = new ArrayList<>();
        watched.stream()
                .map(fence -> fence.watch().refusal())
                .filter(errno -> errno != 0)
                .findFirst()
                .ifPresent(errno -> why.add(AccessWatch.advice(errno)));
        if (watched.stream().anyMatch(fence -> fence.watch().truncated())) {
            why.add("there was more than can be kept; the list is not complete");
        }
        return why;
    }

    /// What every strict render reaches; what the definition's own block adds is proposed again if it was used.
    private FileFence granted() {
        List<Bytes> own = plugin.plugin().settings().sandbox().stream()
                .flatMap(block -> Stream.concat(block.readable().stream(), block.writable().stream()))
                .map(Bytes::utf8)
                .toList();
        List<FileFence> files = watched.stream()
                .flatMap(fence ->
                        fence.instead() instanceof Fence.Strict strict ? Stream.of(strict.files()) : Stream.of())
                .toList();
        return new FileFence(
                files.stream()
                        .flatMap(each -> each.readable().stream())
                        .filter(path -> !own.contains(path))
                        .toList(),
                files.stream()
                        .flatMap(each -> each.writable().stream())
                        .filter(path -> !own.contains(path))
                        .toList());
    }

    private static Bytes real(Bytes path) {
        try (PinnedFile file = PinnedFile.open(path, true)) {
            return file.realPath();
        } catch (ErrnoException nothingThere) {
            return path;
        }
    }
}
