package dev.remora.render;

import com.google.protobuf.ByteString;
import dev.remora.archive.PackReport;
import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.git.AskPass;
import dev.remora.git.Loan;
import dev.remora.manifest.ManifestDocument;
import dev.remora.manifest.ManifestSplitter;
import dev.remora.manifest.SplitOptions;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.posix.LexicalPath;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import dev.remora.wire.EnvEntry;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.wire.ManifestResponse;
import dev.remora.wire.RepositoryResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks a plugin server over its socket, Remora's or Argo CD's: the folder is packed into a file first, because the
/// metadata that goes ahead carries the archive's checksum and size.
public final class SidecarHost implements PluginHost {
    private final Path socket;
    private final Path temporary;
    private final ClientOptions options;
    private final Optional<AskPass> askPass;

    /// @param temporary a folder for the packed archive
    public SidecarHost(Path socket, Path temporary, ClientOptions options) {
        this(socket, temporary, options, Optional.empty());
    }

    /// @param askPass where the server's git asks for a login that is lent; empty: at a socket of ours for each call,
    ///     which a server of this user on this machine reaches
    public SidecarHost(Path socket, Path temporary, ClientOptions options, Optional<AskPass> askPass) {
        this.socket = socket;
        this.temporary = temporary;
        this.options = options;
        this.askPass = askPass;
    }

    @Override
    public String name() {
        String file = String.valueOf(socket.getFileName());
        return file.endsWith(".sock") ? file.substring(0, file.length() - ".sock".length()) : file;
    }

    @Override
    public Verdict match(RenderRequest request, Phases phases) {
        try (PluginClient client = connect(request)) {
            if (!client.check().getIsDiscoveryConfigured()) {
                return new Verdict.Unasked(
                        "the server at " + socket + " has no discover rule: it is used by its name only");
            }
            RepositoryResponse answer = send(request, phases, Phase.DISCOVER, client::match);
            return answer.getIsSupported()
                    ? new Verdict.Yes("the server at " + socket + " says so")
                    : new Verdict.No("the server at " + socket + " says so", Optional.empty());
        }
    }

    @Override
    public List<ManifestDocument> generate(RenderRequest whole, Phases phases) {
        RenderRequest request = whole.narrowed();
        ManifestResponse answer;
        try (PluginClient client = connect(request)) {
            answer = !request.logins().isEmpty() && client.check().getProvideGitCreds()
                    ? lending(request, phases, client)
                    : send(request, phases, Phase.GENERATE, client::generate);
        }
        List<ManifestDocument> documents = new ArrayList<>();
        for (ByteString manifest : answer.getManifestsList()) {
            byte[] json = manifest.toByteArray();
            documents.add(new ManifestDocument(json, documents.size() + 1, 0, objects(json)));
        }
        return documents;
    }

    private ManifestResponse lending(RenderRequest request, Phases phases, PluginClient client) {
        if (askPass.isPresent()) {
            return lending(request, phases, client, askPass.get());
        }
        try (AskPassServer own = AskPassServer.at(request.logins().freshSocket())) {
            return lending(request, phases, client, own);
        }
    }

    private ManifestResponse lending(RenderRequest request, Phases phases, PluginClient client, AskPass answering) {
        try (Loan loan = request.logins().elsewhere(answering)) {
            return loan.hiding(() -> send(request.with(loan.variables()), phases, Phase.GENERATE, client::generate));
        }
    }

    @Override
    public List<ParameterAnnouncement> announce(RenderRequest request, Phases phases) {
        try (PluginClient client = connect(request)) {
            return send(request, phases, Phase.PARAMETERS, client::params).getParameterAnnouncementsList().stream()
                    .map(SidecarHost::announcement)
                    .toList();
        }
    }

    @Override
    public void close() {}

    /// As Argo CD counts them, which reads every answer once more.
    private static int objects(byte[] json) {
        return ManifestSplitter.split(json, SplitOptions.ARGOCD).stream()
                .mapToInt(ManifestDocument::objects)
                .sum();
    }

    /// One of the client's calls that take the folder.
    private interface Call<R> {
        R send(ManifestRequestMetadata metadata, InputStream archive);
    }

    private PluginClient connect(RenderRequest request) {
        // The nearest of both.
        ClientOptions timed = request.timeout()
                .filter(time -> options.deadline()
                        .map(given -> time.compareTo(given) < 0)
                        .orElse(true))
                .map(options::withDeadline)
                .orElse(options);
        return PluginClient.connect(socket, timed);
    }

    private <R> R send(RenderRequest request, Phases phases, Phase phase, Call<R> call) {
        Path archive = archive();
        try {
            PackReport packed = phases.time(Phase.PACK, () -> pack(request.folder(), archive));
            try (InputStream in = Files.newInputStream(archive)) {
                return phases.time(phase, () -> call.send(metadata(request, packed), in));
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "the packed folder in " + archive + ": " + Fault.words(e), e);
        } finally {
            remove(archive);
        }
    }

    /// A file that only we may read.
    private Path archive() {
        try {
            return Files.createTempFile(temporary, "remora-", ".tar.gz");
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot make a file in " + temporary + ": " + Fault.words(e), e);
        }
    }

    private static PackReport pack(SourceFolder folder, Path archive) {
        try (OutputStream out = Files.newOutputStream(archive)) {
            return folder.pack(out);
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot write " + archive + ": " + Fault.words(e), e);
        }
    }

    private static void remove(Path archive) {
        try {
            Files.deleteIfExists(archive);
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot remove " + archive + ": " + Fault.words(e), e);
        }
    }

    private static ManifestRequestMetadata metadata(RenderRequest request, PackReport packed) {
        ManifestRequestMetadata.Builder metadata = ManifestRequestMetadata.newBuilder()
                .setAppName(bytes(folderName(request)))
                .setAppRelPath(bytes(LexicalPath.clean(request.path())))
                .setChecksum(ByteString.copyFromUtf8(packed.sha256()))
                .setSize(packed.compressed());
        for (EnvironmentVariable variable : request.environment()) {
            metadata.addEnv(
                    EnvEntry.newBuilder().setName(bytes(variable.name())).setValue(bytes(variable.value())));
        }
        return metadata.build();
    }

    /// What Argo CD's client calls the application here: the last part of its folder's path.
    private static Bytes folderName(RenderRequest request) {
        List<Bytes> parts =
                LexicalPath.parts(LexicalPath.clean(request.folder().root().slash(request.path())));
        return parts.isEmpty() ? Bytes.EMPTY : parts.getLast();
    }

    private static ByteString bytes(Bytes value) {
        return ByteString.copyFrom(value.toArray());
    }

    private static ParameterAnnouncement announcement(dev.remora.wire.ParameterAnnouncement wire) {
        return new ParameterAnnouncement(
                wire.getName(),
                wire.getTitle(),
                wire.getTooltip(),
                wire.getRequired(),
                wire.getItemType(),
                wire.getCollectionType(),
                wire.getString(),
                wire.getArrayList(),
                wire.getMapMap());
    }
}
