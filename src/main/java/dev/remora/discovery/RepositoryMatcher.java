package dev.remora.discovery;

import dev.remora.archive.UnpackOptions;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.GlobTree;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import dev.remora.workspace.RootedPath;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Says whether a plugin wants an application's folder. See `docs/spec/discovery.md`.
///
/// There are three answers: yes, no, and a fault that begins `match repository error: ` when the question cannot be
/// answered. Only the first stated rule is asked.
public final class RepositoryMatcher {
    /// What has to be there before the question can be answered.
    public enum Needs {
        /// No rule: the answer is known.
        NOTHING,
        /// A pattern: the names of the archive will do.
        NAMES,
        /// A command: the unpacked folder.
        FOLDER
    }

    private static final String CONTEXT = "match repository error: ";
    private static final int NAME_MAX = 255;
    private static final int PATH_MAX = 4096;

    private final PluginDefinition plugin;
    private final PatternJudge judge;
    private final Departures departures;
    private final UnaryOperator<String> environment;

    /// @param environment a variable of the server's own environment, empty when it is not set: zglob patterns see it
    public RepositoryMatcher(PluginDefinition plugin, Departures departures, UnaryOperator<String> environment) {
        this.plugin = plugin;
        this.judge = new PatternJudge(departures, environment);
        this.departures = departures;
        this.environment = environment;
    }

    public Needs needs() {
        Optional<DiscoverRule> rule = plugin.discoverRule();
        if (rule.isEmpty()) {
            return Needs.NOTHING;
        }
        return rule.get() instanceof DiscoverRule.FindCommand ? Needs.FOLDER : Needs.NAMES;
    }

    /// Takes the names of an archive that passes, for [#onNames].
    ///
    /// @param application the application's path as the request has it
    /// @throws Fault PATH_INVALID when no folder can have that path
    public NameTreeSink names(Bytes application, UnpackOptions options) {
        refuseImpossible(application);
        return new NameTreeSink(
                application, options, WantedNames.of(plugin.discoverRule(), application, departures, environment));
    }

    /// The answer, once the archive has passed.
    public Verdict onNames(NameTreeSink names) {
        NameTree tree = names.tree();
        Bytes application = tree.resolved(names.application());
        return asked(rule -> judged(rule, application, tree));
    }

    /// The answer for a folder; a find command runs there.
    ///
    /// @param outputBytes the most that the command may print
    public Verdict onFolder(
            FolderQuestion question, CommandRunner runner, CommandEnvironment own, long outputBytes, Phases phases) {
        if (needs() == Needs.FOLDER) {
            return asked(rule -> new FindCommand(plugin, runner, own, outputBytes)
                    .ask((DiscoverRule.FindCommand) rule, question, phases));
        }
        return phases.time(Phase.DISCOVER, () -> onFolder(question.application()));
    }

    /// The answer for a folder to a definition that needs no command.
    public Verdict onFolder(RootedPath folder) {
        Bytes root = folder.root();
        Bytes below = folder.path().slice(root.length(), folder.path().length());
        Bytes application = LexicalPath.clean(Place.ROOT.slash(below));
        var tree = new FolderTree(root);
        return asked(rule -> Closest.added(judged(rule, application, tree), rule, application, tree));
    }

    private Verdict judged(DiscoverRule rule, Bytes application, GlobTree tree) {
        return switch (rule) {
            case DiscoverRule.FileName fileName -> judge.judge(fileName, application, tree);
            case DiscoverRule.FindGlob glob -> judge.judge(glob, application, tree);
            case DiscoverRule.FindCommand command ->
                throw new IllegalStateException(command.key() + " needs to be run");
        };
    }

    private interface Asking {
        Verdict of(DiscoverRule rule);
    }

    private Verdict asked(Asking asking) {
        Optional<DiscoverRule> rule = plugin.discoverRule();
        if (rule.isEmpty()) {
            return new Verdict.Unasked("the plugin states no discover rule, so it is used by its name, "
                    + plugin.registeredName() + ", only");
        }
        try {
            return asking.of(rule.get());
        } catch (Fault fault) {
            throw fault.in(CONTEXT);
        }
    }

    /// The path must be refused before anything could be asked about another folder instead.
    private static void refuseImpossible(Bytes application) {
        if (application.indexOf((byte) 0, 0) >= 0) {
            throw new Fault(FaultCode.PATH_INVALID, "application path holds a NUL: invalid argument");
        }
        List<Bytes> parts = LexicalPath.parts(application);
        if (application.length() >= PATH_MAX || parts.stream().anyMatch(part -> part.length() > NAME_MAX)) {
            throw new Fault(FaultCode.PATH_INVALID, "application path: file name too long");
        }
    }
}
