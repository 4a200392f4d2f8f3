package dev.remora.cli;

import dev.remora.archive.EntryFilter;
import dev.remora.cache.ReadProposal;
import dev.remora.cache.Reads;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.render.LocalHost;
import dev.remora.render.PluginHost;
import dev.remora.telemetry.Phases;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// `explain --reads`: runs the definition once with the whole folder at hand, and shows which files its commands
/// opened.
final class ReadsReport {
    /// Why a plugin server cannot be watched.
    static final String SERVED = "--reads needs the plugin's file: a server's work folder is its own";

    private static final int MOST_SHOWN = 200;

    private final PluginDefinition plugin;
    private final Bytes application;

    /// @param application the application's folder below the root
    ReadsReport(PluginDefinition plugin, Bytes application) {
        if (!FolderWork.isLinux()) {
            throw new Fault(FaultCode.UNSUPPORTED_SYSTEM, "--reads needs Linux, whose kernel tells what is opened");
        }
        this.plugin = plugin;
        this.application = application;
    }

    static ReadsReport of(FolderWork work, PluginReference plugin) {
        if (!(plugin instanceof PluginReference.Definition definition)) {
            throw new Fault(FaultCode.USAGE, SERVED);
        }
        return new ReadsReport(definition.plugin(), work.request().path());
    }

    /// Runs the plugin, and adds what was opened; gives the fault of a render that failed.
    Optional<Fault> into(
            FolderWork work,
            PluginReference plugin,
            Console console,
            SettingValues settings,
            Tree tree,
            Map<String, Object> json) {
        try (PluginHost host = work.host(plugin, Optional.empty())) {
            if (!(host instanceof LocalHost local)) {
                throw new Fault(FaultCode.INTERNAL, "a definition is run by another host than ours");
            }
            String label = work.options().name() + "  " + host.name();
            LocalHost.Traced traced =
                    Progress.during(console, settings, label, () -> local.trace(work.request(), new Phases()));
            add(traced, tree, json);
            return traced.failure();
        }
    }

    /// Adds what was opened.
    void add(LocalHost.Traced traced, Tree tree, Map<String, Object> json) {
        Reads reads = traced.reads();
        ReadProposal proposal = ReadProposal.of(reads, application);
        Tree branch = tree.branch("opened " + reads.files().size() + " of "
                + reads.all().size() + " files"
                + (traced.failure().isPresent() ? " before it failed" : ""));
        show(branch, reads);
        String inputs =
                proposal.inputs().stream().map(pattern -> "\"" + pattern + "\"").collect(Collectors.joining(", "));
        branch.branch("remora: {inputs: [" + inputs + "]}");
        branch.branch("argocd.argoproj.io/manifest-generate-paths: " + proposal.paths());
        List<String> uncovered = uncovered(reads);
        if (!uncovered.isEmpty()) {
            branch.branch("remora.inputs leaves out what was opened: " + String.join(", ", uncovered));
        }
        reads.gaps().forEach(gap -> branch.branch("incomplete: " + gap));
        branch.branch("not seen: files that were only looked for, and the ways through links");
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("files", texts(reads.files()));
        all.put("folders", texts(reads.folders()));
        all.put("links", texts(reads.links()));
        all.put("total", reads.all().size());
        all.put("inputs", proposal.inputs());
        all.put("manifestGeneratePaths", proposal.paths());
        all.put("uncovered", uncovered);
        all.put("gaps", reads.gaps());
        json.put("reads", all);
    }

    private static void show(Tree branch, Reads reads) {
        Stream.concat(
                        reads.files().stream().map(Bytes::toString),
                        reads.folders().stream().map(folder -> (folder.isEmpty() ? "." : folder) + "/  (listed)"))
                .sorted()
                .limit(MOST_SHOWN)
                .forEach(branch::branch);
        int more = reads.files().size() + reads.folders().size() - MOST_SHOWN;
        if (more > 0) {
            branch.branch("and " + more + " more (-o json shows all)");
        }
    }

    private List<String> uncovered(Reads reads) {
        EntryFilter filter = EntryFilter.of(plugin.settings().inputs().patterns(), application);
        return reads.files().stream()
                .filter(file -> !filter.wants(file))
                .map(Bytes::toString)
                .toList();
    }

    private static List<String> texts(Collection<Bytes> paths) {
        return paths.stream().map(Bytes::toString).toList();
    }
}
