package dev.remora.sidecar;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import dev.remora.archive.MissedInput;
import dev.remora.cache.ReadTrace;
import dev.remora.cache.ReuseReport;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.GeneratedManifests;
import dev.remora.generation.GenerationRequest;
import dev.remora.generation.ManifestGenerator;
import dev.remora.generation.ReuseOfCall;
import dev.remora.generation.ReuseQuestion;
import dev.remora.generation.WarmRender;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.Departure;
import dev.remora.plugin.RemoraSettings;
import dev.remora.wire.ManifestResponse;
import dev.remora.workspace.RootedPath;
import dev.remora.workspace.Workspace;
import java.util.Optional;

/// One call of GenerateManifest, top to bottom. What it means lies in `generation`.
final class GenerateManifestCall {
    private static final String STREAM = "generate manifest error receiving stream: ";

    private final ServerParts parts;
    private final AdmissionQueue queue;

    GenerateManifestCall(ServerParts parts, AdmissionQueue queue) {
        this.parts = parts;
        this.queue = queue;
    }

    ManifestResponse run(CallSession call) {
        RequestStream stream = new RequestStream(call, parts);
        try {
            CallFaults.in(STREAM, stream::begin);
            refuseOtherProjects(call);
            ReuseOfCall reuse = reuse(call);
            Optional<GeneratedManifests> known = onTheWay() ? reuse.known() : Optional.empty();
            if (known.isPresent()) {
                CallFaults.in(STREAM, stream::skim);
                return answer(call, known.get());
            }
            try (var _ = queue.enter(call);
                    CallWorker worker = CallWorker.borrow(parts, call);
                    CallTree tree = CallTree.lend(parts, call, worker::reaching)) {
                CallTree.Arrival arrival = CallFaults.giving(STREAM, () -> tree.fill(stream, reuse.on()));
                return answer(call, render(call, tree, arrival, reuse, worker));
            }
        } catch (Fault fault) {
            stream.drain();
            throw fault;
        }
    }

    private ReuseOfCall reuse(CallSession call) {
        ReuseOfCall reuse = parts.reuse()
                .of(new ReuseQuestion(
                        call.plugin(),
                        call.application(),
                        call.project().orElse(""),
                        call.relativePath(),
                        call.metadata().getChecksum().toStringUtf8(),
                        call.environment()));
        call.reusing(reuse::report);
        return reuse;
    }

    /// Argo CD's way unpacks what it has stored, whatever is known of it.
    private boolean onTheWay() {
        return parts.options().rules().departures().departs(Departure.STORE_ARCHIVE);
    }

    private GeneratedManifests render(
            CallSession call, CallTree tree, CallTree.Arrival arrival, ReuseOfCall reuse, CallWorker worker) {
        RootedPath application = RootedPath.lexical(tree.path(), call.relativePath());
        try {
            return new MissedInput(arrival.skipped(), application)
                    .explaining(() -> reuse.answer(
                            arrival.inputs(),
                            call.time(),
                            call.cancellation(),
                            this::fits,
                            () -> generate(call, tree.workspace(), application, worker.warm(tree))));
        } catch (Fault fault) {
            new FailedRender(parts).keep(call, tree.workspace(), application);
            throw fault;
        }
    }

    private boolean fits(GeneratedManifests made) {
        return messageBytes(made) <= parts.answerBytes();
    }

    /// How large the answer's message is, without making it.
    static long messageBytes(GeneratedManifests made) {
        return made.documents().stream()
                .mapToLong(document -> CodedOutputStream.computeByteArraySize(
                        ManifestResponse.MANIFESTS_FIELD_NUMBER, document.json()))
                .sum();
    }

    private GeneratedManifests generate(
            CallSession call, Workspace workspace, RootedPath application, Optional<WarmRender> worker) {
        ManifestGenerator generator = new ManifestGenerator(
                parts.runner(), parts.environment(), parts.options().rules().departures(), parts.answerBytes());
        GenerationRequest request = new GenerationRequest(
                call.plugin(),
                application.path(),
                call.environment(),
                parts.confine(call.plugin(), workspace),
                call.time(),
                call.cancellation());
        if (!call.plugin().settings().cache().trace()) {
            return generator.generate(request.by(worker), call.phases());
        }
        try (ReadTrace trace = ReadTrace.begin(application.root())) {
            try {
                return generator.generate(request.by(worker), call.phases());
            } finally {
                new ReadsLog(parts.log().masking(call.mask())).tell(call, trace.end());
            }
        }
    }

    private static ManifestResponse answer(CallSession call, GeneratedManifests made) {
        call.made(made.documents().size());
        if (call.reuse().outcome() != ReuseReport.Outcome.HIT) {
            call.said(made.stderr());
        }
        return message(made);
    }

    static ManifestResponse message(GeneratedManifests made) {
        ManifestResponse.Builder answer = ManifestResponse.newBuilder();
        for (ManifestDocument document : made.documents()) {
            answer.addManifests(UnsafeByteOperations.unsafeWrap(document.json()));
        }
        return answer.build();
    }

    /// A definition may be for some AppProjects only; a call that does not say its project is for none.
    private static void refuseOtherProjects(CallSession call) {
        RemoraSettings.Projects projects = call.plugin().settings().projects();
        if (projects.all()) {
            return;
        }
        String project = call.project()
                .orElseThrow(() -> new Fault(
                        FaultCode.PROJECT_REFUSED,
                        "plugin " + call.plugin().registeredName()
                                + " is for some AppProjects only (remora.projects), and this call names none"
                                + " (ARGOCD_APP_PROJECT_NAME)"));
        call.plugin().requireProject(project);
    }
}
