package dev.remora.sidecar;

import dev.remora.archive.MissedInput;
import dev.remora.archive.SkippedNames;
import dev.remora.archive.UnpackOptions;
import dev.remora.cache.Fingerprint;
import dev.remora.cache.ReuseReport;
import dev.remora.discovery.FolderQuestion;
import dev.remora.discovery.NameTreeSink;
import dev.remora.discovery.RepositoryMatcher;
import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.plugin.Departure;
import dev.remora.plugin.RemoraSettings;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.Phase;
import dev.remora.wire.RepositoryResponse;
import dev.remora.workspace.RootedPath;
import java.util.Optional;

/// One call of MatchRepository. Patterns are judged on the names of the archive as it passes; only a command needs it
/// unpacked.
final class MatchRepositoryCall {
    private static final String STREAM = "match repository error receiving stream: ";

    private final ServerParts parts;
    private final AdmissionQueue queue;

    MatchRepositoryCall(ServerParts parts, AdmissionQueue queue) {
        this.parts = parts;
        this.queue = queue;
    }

    RepositoryResponse run(CallSession call) {
        RequestStream stream = new RequestStream(call, parts);
        RepositoryMatcher matcher = new RepositoryMatcher(
                call.plugin(),
                parts.options().rules().departures(),
                name -> parts.options().surroundings().environment().getOrDefault(name, ""));
        try {
            CallFaults.in(STREAM, stream::begin);
            boolean needsCommand = matcher.needs() == RepositoryMatcher.Needs.FOLDER;
            if (!wanted(call, needsCommand)) {
                CallFaults.in(STREAM, stream::skim);
                return RepositoryResponse.newBuilder()
                        .setIsDiscoveryEnabled(true)
                        .build();
            }
            return switch (matcher.needs()) {
                case NOTHING -> {
                    CallFaults.in(STREAM, stream::skim);
                    yield RepositoryResponse.getDefaultInstance();
                }
                case NAMES -> answer(call, byNames(call, stream, matcher));
                case FOLDER -> answer(call, inFolder(call, stream, matcher));
            };
        } catch (Fault fault) {
            stream.drain();
            throw fault;
        }
    }

    /// A definition for some projects is not for others. A call that names no project (as when Argo CD only asks what
    /// a folder is) may be answered as long as nothing runs for it.
    private static boolean wanted(CallSession call, boolean runs) {
        RemoraSettings.Projects projects = call.plugin().settings().projects();
        return projects.all() || call.project().map(projects::allow).orElse(!runs);
    }

    /// An archive that was judged before need only prove that it is the same: the definition and the path are, and the
    /// variables that a pattern may see are this process's own, which do not change.
    private Verdict byNames(CallSession call, RequestStream stream, RepositoryMatcher matcher) {
        if (parts.options().rules().departures().asArgoCd(Departure.STORE_ARCHIVE)) {
            return judged(call, stream, matcher);
        }
        String question = new Fingerprint()
                .add(call.metadata().getChecksum().toStringUtf8())
                .add(call.plugin().digest())
                .add(call.relativePath())
                .hex();
        Optional<Verdict> known = parts.verdicts().find(question);
        if (known.isPresent()) {
            call.reusing(() -> ReuseReport.hit("kept", "this archive was judged before"));
            CallFaults.in(STREAM, stream::skim);
            return known.get();
        }
        call.reusing(() -> ReuseReport.miss("first", "this archive was not judged before"));
        Verdict verdict = judged(call, stream, matcher);
        parts.verdicts().put(question, verdict);
        return verdict;
    }

    private Verdict judged(CallSession call, RequestStream stream, RepositoryMatcher matcher) {
        UnpackOptions options = parts.unpacking(call);
        NameTreeSink names = matcher.names(call.relativePath(), options);
        CallFaults.in(STREAM, () -> stream.unpack(names, options));
        return call.phases().time(Phase.DISCOVER, () -> matcher.onNames(names));
    }

    private Verdict inFolder(CallSession call, RequestStream stream, RepositoryMatcher matcher) {
        try (var _ = queue.enter(call);
                CallTree tree = CallTree.lend(parts, call)) {
            SkippedNames skipped = CallFaults.giving(STREAM, () -> tree.fill(stream));
            RootedPath application = RootedPath.resolved(tree.path(), call.relativePath());
            FolderQuestion question = new FolderQuestion(
                    application,
                    call.environment(),
                    parts.confine(call.plugin(), tree.workspace()),
                    call.time(),
                    call.cancellation());
            return new MissedInput(skipped, application)
                    .explaining(() -> matcher.onFolder(
                            question, parts.runner(), parts.environment(), parts.answerBytes(), call.phases()));
        }
    }

    private RepositoryResponse answer(CallSession call, Verdict verdict) {
        Log log = parts.log().masking(call.mask());
        log.debug(
                (verdict.supported() ? "matches: " : "does not match: ") + verdict.reason(),
                LogKey.PLUGIN.is(call.plugin().registeredName()),
                LogKey.APPLICATION.is(call.application()));
        return RepositoryResponse.newBuilder()
                .setIsSupported(verdict.supported())
                .setIsDiscoveryEnabled(verdict.discoveryConfigured())
                .build();
    }
}
