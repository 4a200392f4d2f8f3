package dev.remora.cli;

import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandLine;
import dev.remora.render.PluginHost;
import dev.remora.telemetry.Phases;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `remora explain`: why a plugin wants a folder or does not; what its commands see; which time limit fires first; and
/// what a fault's code means.
final class ExplainCommand {
    private static final String SCHEMA = "remora/explain/v1";

    private final SettingValues settings;
    private final Console console;
    private final FolderWork work;
    private final Map<String, Object> json = new LinkedHashMap<>();

    private ExplainCommand(SettingValues settings, Console console, FolderWork work) {
        this.settings = settings;
        this.console = console;
        this.work = work;
    }

    static int run(SettingValues settings, List<String> words, Console console) {
        if (words.isEmpty()) {
            return ExplainApplications.run(settings, console);
        }
        ApplicationWork.refuseFiles(settings, "explains");
        String word = words.getFirst();
        if (Files.isDirectory(console.directory().resolve(word))) {
            return FolderWork.run(
                    settings, word, console, work -> new ExplainCommand(settings, console, work).explain());
        }
        return code(word, settings, console);
    }

    private static int code(String word, SettingValues settings, Console console) {
        List<String> ids = Arrays.stream(FaultCode.values()).map(FaultCode::id).toList();
        FaultCode code = Arrays.stream(FaultCode.values())
                .filter(each -> each.id().equals(word))
                .findFirst()
                .orElseThrow(() -> new Fault(
                        FaultCode.USAGE,
                        word + " is neither a folder nor a fault's code"
                                + Proposal.questionAndAll(word, "codes", ids)));
        if (settings.text(FolderSettings.EXPLAIN_OUTPUT).equals("json")) {
            console.out().print(JsonDocument.write(CodeText.json(code)));
        } else {
            console.out().print(CodeText.markdown(code));
        }
        return ExitCode.DONE;
    }

    private int explain() {
        ApplicationOptions options = work.options();
        PluginReference plugin = work.plugin();
        Optional<ReadsReport> reads =
                settings.on(FolderSettings.READS) ? Optional.of(ReadsReport.of(work, plugin)) : Optional.empty();
        Optional<SandboxReport> sandbox = settings.on(FolderSettings.PROPOSE_SANDBOX)
                ? Optional.of(new SandboxReport(work, plugin, console, settings))
                : Optional.empty();
        sandbox.ifPresent(SandboxReport::watch);
        json.put("schema", SCHEMA);
        json.put("app", options.name());
        json.put("path", options.path());
        Tree tree = new Tree(options.name() + "  path " + options.path());
        Optional<Fault> failed = verdict(plugin, tree);
        EnvironmentReport environment = new EnvironmentReport(work, plugin, console);
        if (settings.on(FolderSettings.ENV)) {
            environment.into(tree, json);
        }
        if (settings.present(FolderSettings.LIMITS)) {
            new LimitReport(options, plugin, settings).into(tree, json);
        }
        if (reads.isPresent()) {
            Optional<Fault> broken = reads.get().into(work, plugin, console, settings, tree, json);
            failed = failed.or(() -> broken);
        }
        if (sandbox.isPresent()) {
            Optional<Fault> broken = sandbox.get().into(tree, json);
            failed = failed.or(() -> broken);
        }
        if (settings.text(FolderSettings.EXPLAIN_OUTPUT).equals("json")) {
            if (failed.isEmpty()) {
                console.out().print(JsonDocument.write(json));
            }
        } else {
            console.out().print(tree.text());
            sandbox.ifPresent(report -> console.out().print(report.block()));
        }
        if (failed.isPresent()) {
            throw failed.get();
        }
        if (settings.on(FolderSettings.STRICT)) {
            environment.refuseClashes();
        }
        return ExitCode.DONE;
    }

    /// Adds the answer; one that could not be had is shown with the rest and thrown afterwards.
    private Optional<Fault> verdict(PluginReference plugin, Tree tree) {
        Phases phases = new Phases();
        try (PluginHost host = work.host(plugin, Optional.empty())) {
            json.put("plugin", host.name());
            Tree branch = tree.branch("plugin " + host.name() + definition(plugin));
            rules(plugin, branch);
            String label = work.options().name() + "  " + host.name();
            Verdict verdict = Progress.during(console, settings, label, () -> host.match(work.request(), phases));
            add(verdict, branch);
            return Optional.empty();
        } catch (Fault fault) {
            tree.branch("could not ask: " + work.mask().apply(Fault.words(fault)));
            return Optional.of(fault);
        }
    }

    private void add(Verdict verdict, Tree branch) {
        json.put("discoveryConfigured", verdict.discoveryConfigured());
        json.put("supported", verdict.supported());
        json.put("reason", verdict.reason());
        switch (verdict) {
            case Verdict.Yes yes -> branch.branch("YES  " + yes.reason());
            case Verdict.No no -> {
                Tree answer = branch.branch("NO   " + no.reason());
                no.closest().ifPresent(closest -> {
                    json.put("closest", closest);
                    answer.branch("closest: " + closest);
                });
            }
            case Verdict.Unasked unasked -> branch.branch("BY NAME  " + unasked.reason());
        }
    }

    private static String definition(PluginReference plugin) {
        return switch (plugin) {
            case PluginReference.Definition definition ->
                "  (" + definition.plugin().file() + ")";
            case PluginReference.Socket socket -> "  (" + socket.socket() + ")";
        };
    }

    private void rules(PluginReference plugin, Tree branch) {
        if (!(plugin instanceof PluginReference.Definition definition)) {
            return;
        }
        List<Map<String, Object>> all = new ArrayList<>();
        boolean first = true;
        for (DiscoverRule rule : definition.plugin().discover()) {
            String text = rule.key() + ": " + text(rule);
            branch.branch(first ? "rule " + text : "not asked, because an earlier rule is stated: " + text);
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("key", rule.key());
            one.put("value", text(rule));
            one.put("asked", first);
            all.add(one);
            first = false;
        }
        json.put("rules", all);
        notes(definition.plugin(), branch);
    }

    private void notes(PluginDefinition plugin, Tree branch) {
        plugin.notes().forEach(note -> branch.branch("note: " + note));
        json.put("notes", plugin.notes().stream().map(Object::toString).toList());
    }

    private static String text(DiscoverRule rule) {
        return switch (rule) {
            case DiscoverRule.FileName fileName -> fileName.pattern();
            case DiscoverRule.FindGlob glob -> glob.pattern();
            case DiscoverRule.FindCommand command ->
                CommandLine.rendered(
                        command.command().argv().stream().map(Bytes::utf8).toList());
        };
    }
}
