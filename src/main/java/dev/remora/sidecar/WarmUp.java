package dev.remora.sidecar;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.remora.archive.PackReport;
import dev.remora.archive.TarGzPacker;
import dev.remora.fault.Fault;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import dev.remora.protocol.EventLoops;
import dev.remora.protocol.RecordedCall;
import dev.remora.protocol.UnixSocketServer;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogSettings;
import dev.remora.telemetry.Mask;
import dev.remora.telemetry.Phases;
import dev.remora.wire.AppStreamRequest;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import dev.remora.wire.EnvEntry;
import dev.remora.wire.File;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.workspace.Workspace;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// Makes the first callers wait less: a JVM compiles what has run often, and until then a call takes several times as
/// long. So a server that has just begun to listen calls itself, on a socket that nobody else can reach, with a small
/// plugin of its own, through everything that real calls go through.
///
/// It makes way: while a real call runs it waits, and it ends when it took too long. Its calls are in no log and no
/// metric. What it costs is said in docs/reference/performance.md.
final class WarmUp implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration MAKE_WAY = Duration.ofMillis(20);
    private static final Duration LAST_CALL = Duration.ofSeconds(2);

    private static final Bytes SOCKET = Bytes.utf8("s");
    private static final int FILES = 10;
    private static final int FILE_MODE = 0644;

    /// `sh` is what a system with a launcher has; the command prints two documents, as YAML and as JSON in YAML.
    private static final String DEFINITION = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata:
              name: warm-up
            spec:
              discover:
                find:
                  glob: "**/file-1.yaml"
              generate:
                command: [sh, -c]
                args:
                - |
                  while IFS= read -r line; do printf '%s\\n' "$line"; done < file-1.yaml
            """;

    private static final String FILE = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: warm-up
              labels: {app.kubernetes.io/name: warm-up, "quoted": 'text'}
            data:
              number: "1"
              text: |
                several
                lines
            ---
            {"apiVersion": "v1", "kind": "Warm", "list": [{"count": 1, "share": 0.5, "on": true, "none": null}]}
            """;

    private final ServerParts parts;
    private final RunningCalls others;
    private final Log log;
    private final int rounds;
    private final UnixSocketServer server;
    private final Thread thread;

    private WarmUp(ServerParts real, EventLoops loops, Executor executor, int rounds) {
        this.others = real.running();
        this.log = real.log();
        this.rounds = rounds;
        this.parts = real.apart(
                new Log(LogSettings.DEFAULT, OutputStream.nullOutputStream(), InstantSource.system(), Mask.NONE));
        PluginDefinition definition =
                PluginDefinitionReader.read(DEFINITION.getBytes(StandardCharsets.UTF_8), "warm-up");
        this.server = UnixSocketServer.listen(
                Path.of(real.workRoot().path().slash(SOCKET).toString()),
                PluginServices.of(parts, () -> definition, new AdmissionQueue(), executor),
                new AccessLog(parts.log()),
                real.options().rules().transport(),
                loops,
                false);
        this.thread = Thread.ofPlatform().daemon().name("warm-up").start(this::live);
    }

    /// Begins in the background.
    ///
    /// @param rounds so many calls of each kind and archive
    /// @throws Fault where its socket cannot be made, as when the work folder's path is too long for one
    static WarmUp start(ServerParts real, EventLoops loops, Executor executor, int rounds) {
        return new WarmUp(real, loops, executor, rounds);
    }

    private void live() {
        long began = System.nanoTime();
        try {
            int made = make(calls(), began + LONGEST.toNanos());
            log.debug("warmed up by " + made + " calls in "
                    + Phases.seconds(Duration.ofNanos(System.nanoTime() - began)));
        } catch (IOException | Fault stopped) {
            // The server is being stopped, or has no room; nothing depends on this.
            log.debug("no warm-up: " + Fault.words(stopped));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.close();
        }
    }

    /// How many calls were made until all were, or the time was over.
    private int make(List<RecordedCall> calls, long end) throws IOException, InterruptedException {
        int made = 0;
        for (int round = 0; round < rounds; round++) {
            for (RecordedCall call : calls) {
                while (others.count() > 0) {
                    Thread.sleep(MAKE_WAY);
                }
                if (System.nanoTime() - end > 0) {
                    return made;
                }
                if (call.send(server.socket()) == 0) {
                    throw new IOException("call " + made + " was answered with an error");
                }
                made++;
            }
        }
        return made;
    }

    /// Of two archives: what one leaves is of no use to the other, so both ways are gone.
    private List<RecordedCall> calls() throws IOException {
        List<RecordedCall> calls = new ArrayList<>();
        for (int files : List.of(FILES, FILES - 1)) {
            List<AppStreamRequest> messages = messages(files);
            // The second finds the first's tree, as most real calls do.
            calls.add(recorded(ConfigManagementPluginServiceGrpc.getGenerateManifestMethod(), messages));
            calls.add(recorded(ConfigManagementPluginServiceGrpc.getGenerateManifestMethod(), messages));
            calls.add(recorded(ConfigManagementPluginServiceGrpc.getMatchRepositoryMethod(), messages));
        }
        return calls;
    }

    private List<AppStreamRequest> messages(int files) throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        PackReport packed;
        try (Workspace folder = parts.workRoot().open()) {
            fill(folder.dir(), files);
            packed = TarGzPacker.pack(folder.path(), path -> false, archive);
        }
        ByteString content = UnsafeByteOperations.unsafeWrap(archive.toByteArray());
        return List.of(
                AppStreamRequest.newBuilder().setMetadata(metadata(packed)).build(),
                AppStreamRequest.newBuilder()
                        .setFile(File.newBuilder().setChunk(content))
                        .build());
    }

    private static RecordedCall recorded(MethodDescriptor<?, ?> method, List<AppStreamRequest> messages) {
        return RecordedCall.of(method.getFullMethodName(), messages);
    }

    private static void fill(Directory root, int files) throws ErrnoException {
        Bytes below = Bytes.utf8("folder");
        root.makeDirectory(below, 0755);
        try (Directory folder = root.openDirectory(below)) {
            for (int i = 1; i <= files; i++) {
                try (OpenFile file =
                        (i == 1 ? root : folder).createFile(Bytes.utf8("file-" + i + ".yaml"), FILE_MODE)) {
                    file.write(direct(FILE));
                }
            }
        }
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static ManifestRequestMetadata metadata(PackReport packed) {
        return ManifestRequestMetadata.newBuilder()
                .setAppName(ByteString.copyFromUtf8("warm-up"))
                .setAppRelPath(ByteString.copyFromUtf8("."))
                .setChecksum(ByteString.copyFromUtf8(packed.sha256()))
                .setSize(packed.compressed())
                .addEnv(variable("ARGOCD_APP_NAME", "warm-up"))
                .addEnv(variable("ARGOCD_APP_REVISION", "warm-up"))
                .build();
    }

    private static EnvEntry variable(String name, String value) {
        return EnvEntry.newBuilder()
                .setName(ByteString.copyFromUtf8(name))
                .setValue(ByteString.copyFromUtf8(value))
                .build();
    }

    /// Ends it: no command of its is alive afterwards.
    @Override
    public void close() {
        thread.interrupt();
        server.close();
        try {
            thread.join();
            boolean _ = parts.running().awaitNone(LAST_CALL);
            parts.trees().close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
