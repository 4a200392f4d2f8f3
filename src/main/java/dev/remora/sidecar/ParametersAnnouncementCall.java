package dev.remora.sidecar;

import dev.remora.archive.MissedInput;
import dev.remora.archive.SkippedNames;
import dev.remora.fault.Fault;
import dev.remora.generation.GenerationRequest;
import dev.remora.generation.ParameterAnnouncer;
import dev.remora.plugin.Departure;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.plugin.RemoraSettings;
import dev.remora.posix.Bytes;
import dev.remora.wire.ParametersAnnouncementResponse;
import dev.remora.workspace.RootedPath;
import dev.remora.workspace.Workspace;
import java.util.List;

/// One call of GetParametersAnnouncement. With static announcements only, nothing is unpacked and the application's
/// folder need not exist.
final class ParametersAnnouncementCall {
    private static final String STREAM = "parameters announcement error receiving stream: ";

    /// Where nothing is unpacked: a path that would leave it is refused all the same, as in Argo CD.
    private static final Bytes NO_FOLDER = Bytes.utf8("/request");

    private final ServerParts parts;
    private final AdmissionQueue queue;

    ParametersAnnouncementCall(ServerParts parts, AdmissionQueue queue) {
        this.parts = parts;
        this.queue = queue;
    }

    ParametersAnnouncementResponse run(CallSession call) {
        RequestStream stream = new RequestStream(call, parts);
        try {
            CallFaults.in(STREAM, stream::begin);
            if (!call.plugin().dynamicParameters().defined() || !mayRun(call)) {
                CallFaults.in(STREAM, () -> take(call, stream));
                RootedPath _ = RootedPath.lexical(NO_FOLDER, call.relativePath());
                return answer(call, call.plugin().staticParameters());
            }
            try (var _ = queue.enter(call);
                    CallTree tree = CallTree.lend(parts, call)) {
                SkippedNames skipped = CallFaults.giving(STREAM, () -> tree.fill(stream));
                RootedPath application = RootedPath.lexical(tree.path(), call.relativePath());
                return answer(
                        call,
                        new MissedInput(skipped, application)
                                .explaining(() -> announce(call, tree.workspace(), application)));
            }
        } catch (Fault fault) {
            stream.drain();
            throw fault;
        }
    }

    /// Argo CD names no project here, so a definition for some projects only announces what needs no command.
    private static boolean mayRun(CallSession call) {
        RemoraSettings.Projects projects = call.plugin().settings().projects();
        return projects.all() || call.project().filter(projects::allow).isPresent();
    }

    /// The archive decides nothing here. It is looked through for its checksum only; Argo CD's server unpacks it.
    private void take(CallSession call, RequestStream stream) {
        if (parts.options().rules().departures().departs(Departure.STORE_ARCHIVE)) {
            stream.skim();
            return;
        }
        try (CallTree tree = CallTree.lend(parts, call)) {
            SkippedNames _ = tree.fill(stream);
        }
    }

    private List<ParameterAnnouncement> announce(CallSession call, Workspace workspace, RootedPath application) {
        ParameterAnnouncer announcer = new ParameterAnnouncer(parts.runner(), parts.environment(), parts.answerBytes());
        GenerationRequest request = new GenerationRequest(
                call.plugin(),
                application.path(),
                call.environment(),
                parts.confine(call.plugin(), workspace),
                call.time(),
                call.cancellation());
        return announcer.announce(request, call.phases());
    }

    private static ParametersAnnouncementResponse answer(CallSession call, List<ParameterAnnouncement> announcements) {
        ParametersAnnouncementResponse.Builder answer = ParametersAnnouncementResponse.newBuilder();
        for (ParameterAnnouncement one : announcements) {
            answer.addParameterAnnouncements(dev.remora.wire.ParameterAnnouncement.newBuilder()
                    .setName(one.name())
                    .setTitle(one.title())
                    .setTooltip(one.tooltip())
                    .setRequired(one.required())
                    .setItemType(one.itemType())
                    .setCollectionType(one.collectionType())
                    .setString(one.string())
                    .addAllArray(one.array())
                    .putAllMap(one.map()));
        }
        call.made(announcements.size());
        return answer.build();
    }
}
