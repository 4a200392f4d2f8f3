package dev.remora.cli;

import dev.remora.application.PluginEnvironment;
import dev.remora.archive.PackReport;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.git.CommitId;
import dev.remora.git.Resolution;
import dev.remora.git.RevisionTree;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.RenderedObject;
import dev.remora.process.Cancellation;
import dev.remora.render.EffectiveSource;
import dev.remora.render.LocalHost;
import dev.remora.render.PluginAnswers;
import dev.remora.render.PluginHost;
import dev.remora.render.RenderRequest;
import dev.remora.render.RenderSteps;
import dev.remora.render.SourceChoice;
import dev.remora.render.SourceTree;
import dev.remora.telemetry.Phases;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What became of one source of an Application, step by step, as far as it came. Filled by the thread of one render,
/// read
/// when that is over.
final class SourceStory implements RenderSteps {
    /// The step behind which a render ends that left its place to a shell.
    static final String SHELL = "shell";

    private final Wanted wanted;
    private final Cancellation cancellation;

    Optional<Checkout> checkout = Optional.empty();
    Optional<RevisionTree> tree = Optional.empty();
    Optional<EffectiveSource> effective = Optional.empty();
    Optional<PluginEnvironment> environment = Optional.empty();
    Optional<SourceChoice> choice = Optional.empty();
    Optional<PluginAnswers.Look> kept = Optional.empty();
    Optional<PackReport> sent = Optional.empty();
    Optional<LocalHost.Traced> traced = Optional.empty();
    Optional<String> stderr = Optional.empty();
    Optional<List<ManifestDocument>> documents = Optional.empty();
    Optional<List<RenderedObject>> objects = Optional.empty();
    Optional<Fault> failure = Optional.empty();
    Optional<String> stoppedAt = Optional.empty();
    Phases phases = new Phases();

    /// What is done on the way besides rendering.
    ///
    /// @param stop the step behind which the render ends, as `--at` names it
    /// @param reads whether the plugin is run a first time, watched
    /// @param kept whether it is asked for a kept answer
    /// @param shell runs when the plugin would be asked
    record Wanted(String stop, boolean reads, boolean kept, Optional<Shell> shell) {}

    /// Leaves people alone with a plugin's work folder.
    interface Shell {
        void open(PluginHost host, RenderRequest request, Phases phases);
    }

    /// The files of a source, which are laid out only while it is rendered.
    ///
    /// @param meant which revision was meant, in words, and by which rule it was found
    /// @param commit empty for a local folder that is no repository
    /// @param changed files of a local folder that are not committed as they are
    record Checkout(
            String meant,
            Optional<String> commit,
            Optional<Instant> committed,
            boolean folder,
            List<String> changed,
            int files,
            long bytes) {}

    SourceStory(Wanted wanted, Cancellation cancellation) {
        this.wanted = wanted;
        this.cancellation = cancellation;
    }

    @Override
    public void laidOut(int source, SourceTree tree) {
        this.tree = Optional.of(tree.tree());
        Resolution resolution = tree.resolution();
        String asked = resolution.asked().isEmpty() ? "HEAD" : resolution.asked();
        checkout = Optional.of(new Checkout(
                asked + " (" + resolution.rule().words()
                        + resolution.ref().map(ref -> ", " + ref).orElse("") + ")",
                tree.commit().map(CommitId::hex),
                tree.tree().committed(cancellation),
                resolution.rule() == Resolution.Rule.FOLDER,
                tree.changed().stream().map(Object::toString).toList(),
                tree.laidOut().files(),
                tree.laidOut().bytes()));
        stopAt("revision");
    }

    @Override
    public void effective(int source, EffectiveSource read) {
        effective = Optional.of(read);
        stopAt("overrides");
    }

    @Override
    public void told(int source, PluginEnvironment told) {
        environment = Optional.of(told);
    }

    @Override
    public void chosen(int source, SourceChoice chosen) {
        choice = Optional.of(chosen);
        stopAt("type");
    }

    @Override
    public void mayBeKept(int source, Supplier<PluginAnswers.Look> look) {
        if (wanted.kept()) {
            kept = Optional.of(look.get());
        }
    }

    @Override
    public void asking(int source, PluginHost host, RenderRequest request) {
        if (FolderWork.isLinux()) {
            sent = Optional.of(request.narrowed().folder().measure());
        }
        wanted.shell().ifPresent(shell -> {
            shell.open(host, request, phases);
            stop(SHELL);
        });
        stopAt("plugin");
        if (wanted.reads()) {
            if (!(host instanceof LocalHost local)) {
                throw new Fault(FaultCode.USAGE, ReadsReport.SERVED);
            }
            traced = Optional.of(local.trace(request, new Phases()));
        }
    }

    @Override
    public void said(int source, String text) {
        stderr = Optional.of(text);
    }

    @Override
    public void answered(int source, List<ManifestDocument> answer) {
        documents = Optional.of(answer);
        stopAt("answer");
    }

    @Override
    public void made(int source, List<RenderedObject> made) {
        objects = Optional.of(made);
    }

    /// Keeps how the render ended.
    void ended(Fault fault) {
        if (stoppedAt.isEmpty()) {
            failure = Optional.of(fault);
        }
    }

    private void stopAt(String step) {
        if (wanted.stop().equals(step)) {
            stop(step);
        }
    }

    /// The fault is no failure: [#ended] drops it.
    private void stop(String step) {
        stoppedAt = Optional.of(step);
        throw new Fault(FaultCode.CALL_CANCELLED, "stopped behind " + step);
    }
}
