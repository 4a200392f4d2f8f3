package dev.remora.sidecar;

import com.google.protobuf.ByteString;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogFormat;
import dev.remora.telemetry.LogLevel;
import dev.remora.telemetry.LogSettings;
import dev.remora.telemetry.Mask;
import dev.remora.wire.ManifestResponse;
import dev.remora.workspace.RecycleOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// A real server on a real socket in a folder of the test, with its log.
final class RunningSidecar implements AutoCloseable {
    /// A plugin that prints the files of its folder.
    static final String CAT = definition("cat", "sh -c 'cat *.yaml'");

    final Path folder;
    final ByteArrayOutputStream log = new ByteArrayOutputStream();
    final SidecarServer server;

    RunningSidecar(Path folder, String definition) throws IOException {
        this(folder, definition, UnaryOperator.identity());
    }

    RunningSidecar(Path folder, String definition, UnaryOperator<ServeOptions> changed) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("config"));
        Files.createDirectories(folder.resolve("s"));
        Files.createDirectories(folder.resolve("work"));
        if (!definition.isEmpty()) {
            define(definition);
        }
        server = SidecarServer.start(changed.apply(options(folder)), log(log));
    }

    static Log log(ByteArrayOutputStream out) {
        LogSettings settings = new LogSettings(LogFormat.JSON, LogLevel.DEBUG, Optional.empty(), false, false);
        return new Log(settings, out, InstantSource.system(), Mask.NONE);
    }

    static ServeOptions options(Path folder) {
        ServeOptions defaults = ServeOptions.at(folder.resolve("config"), folder.resolve("s"), folder.resolve("work"));
        // -Dremora.recycle=false: every test with trees that are used once.
        RecycleOptions recycle = Boolean.parseBoolean(System.getProperty("remora.recycle", "true"))
                ? RecycleOptions.DEFAULT
                : RecycleOptions.OFF;
        return defaults.with(defaults.times().withReloadPoll(Duration.ofMillis(50)))
                .with(defaults.places().withRecycle(recycle));
    }

    /// The server speaks HTTP too, at `address`.
    static UnaryOperator<ServeOptions> httpAt(InetSocketAddress address) {
        return options -> options.with(new ServeOptions.Outlets(Optional.of(address), Optional.empty()));
    }

    /// A definition whose `generate` is a shell's line.
    static String definition(String name, String line) {
        return """
               apiVersion: argoproj.io/v1alpha1
               kind: ConfigManagementPlugin
               metadata: {name: %s}
               spec:
                 generate:
                   command: [sh, -c]
                   args:
                   - |
                     %s
               """.formatted(name, line);
    }

    void define(String definition) throws IOException {
        Path next = folder.resolve("config/.next");
        Files.writeString(next, definition);
        Files.move(next, folder.resolve("config/plugin.yaml"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    Path socket(String name) {
        return folder.resolve("s").resolve(name + ".sock");
    }

    PluginClient client(String name) {
        return client(name, ClientOptions.DEFAULT);
    }

    PluginClient client(String name, ClientOptions options) {
        return PluginClient.connect(socket(name), options);
    }

    /// The manifests of one call.
    List<String> generate(String name, SmallArchive archive, String path, String... environment) {
        try (PluginClient client = client(name)) {
            return texts(client.generate(archive.metadata(path, environment), archive.stream()));
        }
    }

    static List<String> texts(ManifestResponse answer) {
        return answer.getManifestsList().stream().map(ByteString::toStringUtf8).toList();
    }

    String logged() {
        return log.toString(StandardCharsets.UTF_8);
    }

    static void await(BooleanSupplier met) throws InterruptedException {
        for (int i = 0; i < 1000 && !met.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        org.assertj.core.api.Assertions.assertThat(met.getAsBoolean()).isTrue();
    }

    @Override
    public void close() {
        server.close();
    }
}
