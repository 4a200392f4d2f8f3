package dev.remora.sidecar;

import com.google.protobuf.UnsafeByteOperations;
import dev.remora.archive.MissedInput;
import dev.remora.archive.SkippedNames;
import dev.remora.archive.UnpackOptions;
import dev.remora.archive.WorkspaceSink;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.generation.GeneratedManifests;
import dev.remora.generation.GenerationRequest;
import dev.remora.generation.ManifestGenerator;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.RemoraSettings;
import dev.remora.wire.ManifestResponse;
import dev.remora.workspace.RootedPath;
import dev.remora.workspace.Workspace;

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
            try (var _ = queue.enter(call);
                    Workspace workspace = parts.workRoot().open()) {
                SkippedNames skipped = CallFaults.giving(STREAM, () -> receive(call, stream, workspace));
                RootedPath application = RootedPath.lexical(workspace.path(), call.relativePath());
                try {
                    return answer(
                            call, new MissedInput(skipped, application).explaining(() -> generate(call, application)));
                } catch (Fault fault) {
                    new FailedRender(parts).keep(call, workspace, application);
                    throw fault;
                }
            }
        } catch (Fault fault) {
            stream.drain();
            throw fault;
        }
    }

    private SkippedNames receive(CallSession call, RequestStream stream, Workspace workspace) {
        UnpackOptions options = Unpacking.options(call.plugin(), call.relativePath(), parts.options());
        return stream.unpack(new WorkspaceSink(workspace, options), options).skipped();
    }

    private GeneratedManifests generate(CallSession call, RootedPath application) {
        ManifestGenerator generator = new ManifestGenerator(
                parts.runner(), parts.environment(), parts.options().rules().departures(), parts.answerBytes());
        GenerationRequest request = new GenerationRequest(
                call.plugin(), application.path(), call.environment(), call.time(), call.cancellation());
        return generator.generate(request, call.phases());
    }

    private static ManifestResponse answer(CallSession call, GeneratedManifests made) {
        ManifestResponse.Builder answer = ManifestResponse.newBuilder();
        for (ManifestDocument document : made.documents()) {
            answer.addManifests(UnsafeByteOperations.unsafeWrap(document.json()));
        }
        call.made(made.documents().size());
        call.said(made.stderr());
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
        if (!projects.allow(project)) {
            throw new Fault(
                    FaultCode.PROJECT_REFUSED,
                    "AppProject " + project + " may not use plugin "
                            + call.plugin().registeredName()
                            + "; add it to remora.projects in plugin.yaml, or use another plugin");
        }
    }
}
