package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.application.SourceOverrides;
import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.PluginDefinition;
import dev.remora.render.Asked.Answer;
import dev.remora.telemetry.Phases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds out how a source is rendered, by Argo CD's rules (docs/spec/selection.md). Threads may share it.
public final class SourceTypes {
    private final PluginCatalog catalog;
    private final Hosts hosts;
    private final Breadth breadth;

    /// Makes a plugin ready to be asked.
    public interface Hosts {
        /// The caller closes it.
        PluginHost open(KnownPlugin plugin);
    }

    /// Who is asked beyond the first plugin that says yes: for warnings and explanations, never for the choice.
    public enum Breadth {
        /// Those that cost nothing: definitions whose rule is a pattern.
        CHEAP,
        /// Everybody.
        EVERY
    }

    /// What the choice depends on.
    ///
    /// @param effective with the overrides of its folder; no source that only lends its files
    /// @param root the repository's files
    /// @param folder the source's below it, absolute
    /// @param untyped what a plugin is asked with while the type is open: of the variables only `ARGOCD_APP_*`
    /// @param full what it is asked with once it is known that the source is a plugin's
    public record Question(
            EffectiveSource effective, Path root, Path folder, RenderRequest untyped, RenderRequest full) {
        public Question {
            if (effective.source().isReferenceOnly()) {
                throw new IllegalArgumentException("a source that only lends its files has no type");
            }
        }
    }

    /// A chooser among the plugins of a catalog.
    public SourceTypes(PluginCatalog catalog, Hosts hosts, Breadth breadth) {
        this.catalog = catalog;
        this.hosts = hosts;
        this.breadth = breadth;
    }

    /// The source's type.
    ///
    /// @throws Fault SOURCE_TYPE, PLUGIN_ABSENT, PROJECT_REFUSED; or what kept a plugin from being asked: that is
    ///     no "no"
    public SourceChoice choose(Question question, Phases phases) {
        ApplicationSource source = question.effective().source();
        List<String> stated = source.explicitTypes();
        if (stated.size() > 1) {
            throw new Fault(
                    FaultCode.SOURCE_TYPE,
                    "error getting app source type: multiple application sources defined: " + String.join(",", stated)
                            + changedBy(question.effective()) + "; keep one of them");
        }
        PluginQuestions questions = new PluginQuestions(hosts, phases);
        if (source.plugin().isPresent()) {
            String name = source.plugin().get().name();
            return name.isEmpty() ? unnamed(question, questions) : named(name, question, questions);
        }
        return stated.isEmpty() ? open(question, questions) : stated(stated.getFirst(), question);
    }

    private static SourceChoice stated(String type, Question question) {
        SourceType stated = switch (type) {
            case "Helm" -> new SourceType.Helm();
            case "Kustomize" -> new SourceType.Kustomize();
            default ->
                new SourceType.Directory(
                        question.effective().source().directory().orElseThrow());
        };
        return chosen(stated, "stated by " + field(type, question), List.of(), Optional.empty(), List.of());
    }

    private static SourceChoice chosen(
            SourceType type, String reason, List<Asked> asked, Optional<String> without, List<String> warnings) {
        return new SourceChoice(type, reason, asked, without, warnings);
    }

    /// Where a block is written: in the Application, or in an override file.
    private static String field(String type, Question question) {
        String key = type.toLowerCase(java.util.Locale.ROOT);
        return "spec.source." + key
                + question.effective().changes().stream()
                        .filter(change ->
                                change.field().equals(key) || change.field().startsWith(key + "."))
                        .findFirst()
                        .map(change -> ", set by " + change.file())
                        .orElse("");
    }

    private static String changedBy(EffectiveSource effective) {
        return effective.changes().isEmpty()
                ? ""
                : " (with "
                        + effective.changes().stream()
                                .map(SourceOverrides.Change::file)
                                .distinct()
                                .reduce((a, b) -> a + " and " + b)
                                .orElse("")
                        + ")";
    }

    /// By its name, with the version if it has one. A rule that it has is asked all the same.
    private SourceChoice named(String name, Question question, PluginQuestions questions) {
        KnownPlugin plugin = new PluginNames(catalog).require(name);
        if (plugin instanceof KnownPlugin.Definition(PluginDefinition definition, String _)) {
            definition.requireProject(question.full().project());
        }
        Answer answer = questions.ask(plugin, question.full());
        String context =
                "could not find cmp-server plugin with name \"" + name + "\" supporting the given repository: ";
        String agreed = switch (answer) {
            case Answer.Failed(Fault fault) -> throw couldNotAsk(plugin, fault).in(context);
            case Answer.NotAsked(String why) -> throw new Fault(FaultCode.PROJECT_REFUSED, why);
            case Answer.Said(Verdict.No _) ->
                throw new Fault(
                        FaultCode.PLUGIN_ABSENT,
                        context + "a plugin that is named is asked all the same if it has a discover rule, and"
                                + " it says no: " + answer.words());
            case Answer.Said(Verdict.Yes(String why)) -> "its discover rule agrees: " + why;
            case Answer.Said(Verdict.Unasked _) -> "it has no discover rule";
        };
        return chosen(
                new SourceType.Plugin(plugin),
                field("Plugin", question) + " names it, and " + agreed,
                List.of(new Asked(plugin, answer, false)),
                Optional.empty(),
                List.of());
    }

    /// `plugin: {}`: the first that wants it.
    private SourceChoice unnamed(Question question, PluginQuestions questions) {
        List<Asked> asked = askAll(question.full(), questions);
        KnownPlugin plugin = firstOf(asked).orElseThrow(() -> nobody(asked));
        return chosen(
                new SourceType.Plugin(plugin),
                field("Plugin", question) + " names no plugin, and this is the first that wants the folder",
                asked,
                Optional.empty(),
                others(plugin, asked));
    }

    /// Nothing is stated: plugins go first.
    private SourceChoice open(Question question, PluginQuestions questions) {
        FolderType without = FolderType.of(question.folder());
        List<Asked> asked = askAll(question.untyped(), questions);
        if (firstOf(asked).isEmpty()) {
            return chosen(without.type(), without.toString(), asked, Optional.of(without.toString()), List.of());
        }
        List<Asked> again = askAll(question.full(), questions);
        KnownPlugin plugin = firstOf(again).orElseThrow(() -> nobody(again));
        return chosen(
                new SourceType.Plugin(plugin),
                "no type is stated, and this is the first plugin that wants the folder",
                again,
                Optional.of(without.toString()),
                others(plugin, again));
    }

    private static Optional<KnownPlugin> firstOf(List<Asked> asked) {
        return asked.stream()
                .filter(each -> each.wants() && !each.beyond())
                .map(Asked::plugin)
                .findFirst();
    }

    /// Everybody in Argo CD's order. Up to the first yes, a plugin that cannot be asked ends it: what it would
    /// have said decides.
    private List<Asked> askAll(RenderRequest request, PluginQuestions questions) {
        List<Asked> asked = new ArrayList<>();
        boolean found = false;
        for (KnownPlugin plugin : catalog.plugins()) {
            if (found && breadth == Breadth.CHEAP && !PluginQuestions.isCheap(plugin)) {
                asked.add(new Asked(plugin, new Answer.NotAsked("not asked any more"), true));
                continue;
            }
            Answer answer = questions.ask(plugin, request);
            if (!found && answer instanceof Answer.Failed(Fault fault)) {
                throw couldNotAsk(plugin, fault);
            }
            Asked one = new Asked(plugin, answer, found);
            asked.add(one);
            found = found || one.wants();
        }
        return asked;
    }

    private static Fault couldNotAsk(KnownPlugin plugin, Fault fault) {
        return fault.in("error checking repository support for plugin " + plugin.socketName()
                + " (what cannot be asked is no \"no\": state the source's type to do without): ");
    }

    private static Fault nobody(List<Asked> asked) {
        StringBuilder text = new StringBuilder("could not find plugin supporting the given repository");
        if (asked.isEmpty()) {
            text.append(": no plugin is known; name one with --plugin or --plugins-dir");
        }
        for (Asked each : asked) {
            text.append("\n  ")
                    .append(each.plugin().name())
                    .append(": ")
                    .append(each.answer().words());
        }
        return new Fault(FaultCode.PLUGIN_ABSENT, text.toString());
    }

    private static List<String> others(KnownPlugin chosen, List<Asked> asked) {
        List<String> more = asked.stream()
                .filter(each -> each.wants() && !each.plugin().equals(chosen))
                .map(each -> each.plugin().name())
                .toList();
        return more.isEmpty()
                ? List.of()
                : List.of(String.join(", ", more) + (more.size() == 1 ? " wants" : " want") + " the folder as well; "
                        + chosen.name()
                        + " gets it, the first by the bytes of socket names; state spec.source.plugin.name");
    }
}
