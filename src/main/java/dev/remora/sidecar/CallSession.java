package dev.remora.sidecar;

import dev.remora.cache.ReuseReport;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.ExecTimeouts;
import dev.remora.protocol.InboundCall;
import dev.remora.telemetry.Mask;
import dev.remora.telemetry.Phases;
import dev.remora.telemetry.TreeMeasure;
import dev.remora.wire.AppStreamRequest;
import dev.remora.wire.EnvEntry;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.workspace.Lending;
import dev.remora.workspace.TreeOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// One streaming call from its first byte to its answer: the definition that it is served by, its time, who it is for.
/// Changed only by the thread that serves the call.
final class CallSession {
    private static final Bytes APPLICATION = Bytes.utf8("ARGOCD_APP_NAME");
    private static final Bytes PROJECT = Bytes.utf8("ARGOCD_APP_PROJECT_NAME");
    private static final Bytes REPOSITORY = Bytes.utf8("ARGOCD_APP_SOURCE_REPO_URL");
    private static final Bytes REVISION = Bytes.utf8("ARGOCD_APP_REVISION");

    private final PluginDefinition plugin;
    private final InboundCall<AppStreamRequest> inbound;
    private final CallTime time;
    private final Instant started;
    private final Cancellation cancellation = new Cancellation();
    private final Phases phases = new Phases();
    private ManifestRequestMetadata metadata = ManifestRequestMetadata.getDefaultInstance();
    private List<EnvironmentVariable> environment = List.of();
    private Mask mask = Mask.NONE;
    private long bytesIn;
    private int manifests = -1;
    private String stderr = "";
    private Supplier<ReuseReport> reuse = () -> ReuseReport.OFF;
    private String ranBy = "";
    private Optional<TreeMeasure> tree = Optional.empty();

    CallSession(
            PluginDefinition plugin, InboundCall<AppStreamRequest> inbound, ExecTimeouts timeouts, Instant started) {
        this.plugin = plugin;
        this.inbound = inbound;
        this.started = started;
        this.time = CallTime.startingNow(
                inbound.deadlineNanos().map(at -> Duration.ofNanos(at - System.nanoTime())), timeouts);
        inbound.whenCancelled(() -> cancellation.cancel("the caller went away"));
    }

    /// The definition as it was when the call began; a reload does not change it.
    PluginDefinition plugin() {
        return plugin;
    }

    InboundCall<AppStreamRequest> inbound() {
        return inbound;
    }

    CallTime time() {
        return time;
    }

    Instant started() {
        return started;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    Phases phases() {
        return phases;
    }

    /// The last moment, by `System.nanoTime()`, at which an answer still reaches the caller.
    long lastMomentNanos() {
        return System.nanoTime() + time.left().map(Duration::toNanos).orElse(Long.MAX_VALUE / 2);
    }

    /// Takes what the first message says.
    void about(ManifestRequestMetadata announced) {
        metadata = announced;
        List<EnvironmentVariable> entries = new ArrayList<>();
        List<String> secrets = new ArrayList<>();
        for (EnvEntry entry : announced.getEnvList()) {
            EnvironmentVariable variable = new EnvironmentVariable(
                    Bytes.of(entry.getName().toByteArray()),
                    Bytes.of(entry.getValue().toByteArray()));
            entries.add(variable);
            if (Mask.isSecretName(variable.name().toString())) {
                secrets.add(variable.value().toString());
            }
        }
        environment = entries;
        mask = Mask.of(secrets);
    }

    ManifestRequestMetadata metadata() {
        return metadata;
    }

    List<EnvironmentVariable> environment() {
        return environment;
    }

    /// Hides this request's secrets.
    Mask mask() {
        return mask;
    }

    /// The application's path below the root, as the caller wrote it.
    Bytes relativePath() {
        return Bytes.of(metadata.getAppRelPath().toByteArray());
    }

    /// The Application's name; what Argo CD sends in the metadata is only its folder's.
    String application() {
        return variable(APPLICATION).orElseGet(() -> metadata.getAppName().toStringUtf8());
    }

    Optional<String> project() {
        return variable(PROJECT).filter(name -> !name.isEmpty());
    }

    /// Whose tree this call may work in.
    TreeOwner owner() {
        Optional<Bytes> repository = value(REPOSITORY).filter(url -> !url.isEmpty());
        return new TreeOwner(repository, value(PROJECT).filter(name -> !name.isEmpty()));
    }

    /// The call works in this tree.
    void lent(Lending lending) {
        tree = Optional.of(new TreeMeasure(lending.kind().word(), lending.filesWritten(), lending.bytesSaved()));
    }

    /// Empty where nothing was unpacked.
    Optional<TreeMeasure> tree() {
        return tree;
    }

    Optional<String> revision() {
        return variable(REVISION);
    }

    /// Of two with one name the last wins, as for the command.
    private Optional<String> variable(Bytes name) {
        return value(name).map(Bytes::toString);
    }

    private Optional<Bytes> value(Bytes name) {
        for (int i = environment.size() - 1; i >= 0; i--) {
            if (environment.get(i).name().equals(name)) {
                return Optional.of(environment.get(i).value());
            }
        }
        return Optional.empty();
    }

    void received(long bytes) {
        bytesIn += bytes;
    }

    long bytesIn() {
        return bytesIn;
    }

    void made(int documents) {
        manifests = documents;
    }

    /// Who rendered, where the definition has workers: a worker, or the command and why.
    void ranBy(String who) {
        ranBy = who;
    }

    String ranBy() {
        return ranBy;
    }

    /// What the command said beside its output, bounded.
    void said(String text) {
        stderr = text.strip();
    }

    String stderr() {
        return stderr;
    }

    /// An earlier answer or verdict was asked for.
    void reusing(Supplier<ReuseReport> telling) {
        reuse = telling;
    }

    /// What became of that.
    ReuseReport reuse() {
        return reuse.get();
    }

    /// How many documents the answer holds; -1 where that means nothing.
    int manifests() {
        return manifests;
    }
}
