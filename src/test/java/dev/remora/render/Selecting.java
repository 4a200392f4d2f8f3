package dev.remora.render;

import dev.remora.application.ApplicationReader;
import dev.remora.application.ApplicationSource;
import dev.remora.fault.FaultCode;
import dev.remora.generation.FencePolicy;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ProcessSettings;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.TransportLimits;
import dev.remora.sandbox.SystemFiles;
import dev.remora.telemetry.Phases;
import dev.remora.yaml.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A repository with the application folder `app`, plugins, and the question how the folder is rendered.
final class Selecting implements AutoCloseable {
    private final Path base;
    private final Path root;
    private final CommandRunner runner;
    private final List<KnownPlugin> plugins = new ArrayList<>();
    /// The plugins that were made ready to be asked, in their order.
    final List<String> opened = new ArrayList<>();

    Selecting(Path base) throws IOException {
        this.base = base;
        this.root = Files.createDirectories(base.resolve("repository")).toRealPath();
        Files.createDirectories(root.resolve("app"));
        ProcessSettings standard = ProcessSettings.standard(Bytes.utf8(System.getenv("PATH")));
        this.runner = CommandRunner.open(new ProcessSettings(
                standard.searchPath(), standard.containment(), standard.ending(), false, standard.closeGrace()));
    }

    Path root() {
        return root;
    }

    Selecting file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        return this;
    }

    /// A plugin with this as the rest of its `spec`, or more below it.
    Selecting plugin(String name, String... more) {
        String text = "apiVersion: argoproj.io/v1alpha1\nkind: ConfigManagementPlugin\nmetadata: {name: " + name
                + "}\nspec:\n  generate: {command: [cat, x]}\n"
                + String.join("\n", Arrays.stream(more).toList()) + "\n";
        plugins.add(new KnownPlugin.Definition(
                PluginDefinitionReader.read(text.getBytes(StandardCharsets.UTF_8), name + ".yaml"), name + ".yaml"));
        return this;
    }

    Selecting socket(Path socket) {
        plugins.add(new KnownPlugin.Socket(socket, "unix:" + socket));
        return this;
    }

    SourceChoice choose(String source) {
        return choose(source, SourceTypes.Breadth.CHEAP);
    }

    SourceChoice choose(String source, SourceTypes.Breadth breadth) {
        ApplicationSource written = source(source);
        List<EnvironmentVariable> build = List.of(EnvironmentVariable.of("ARGOCD_APP_NAME", "guestbook"));
        List<EnvironmentVariable> full = new ArrayList<>(build);
        full.add(EnvironmentVariable.of("KUBE_VERSION", "1.30.2"));
        var question = new SourceTypes.Question(
                Overrides.read(written, ApplicationFolder.of(root, written.path()), "guestbook"),
                root,
                root.resolve(written.path()).normalize(),
                request(written, build),
                request(written, full));
        return new SourceTypes(new PluginCatalog(plugins), this::open, breadth).choose(question, new Phases());
    }

    /// Of an Application whose source has these fields too.
    static ApplicationSource source(String fields) {
        String text =
                "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: guestbook}\nspec: {project: team,"
                        + " destination: {}, source: {repoURL: 'https://git.example.com/r.git', path: app"
                        + (fields.isEmpty() ? "" : ", " + fields) + "}}\n";
        return ApplicationReader.read(
                        "app.yaml",
                        new YamlReader("app.yaml", FaultCode.APPLICATION_INVALID)
                                .read(text.getBytes(StandardCharsets.UTF_8)))
                .sources()
                .getFirst();
    }

    private RenderRequest request(ApplicationSource source, List<EnvironmentVariable> environment) {
        return new RenderRequest(
                new SourceFolder(Bytes.utf8(root.toString()), List.of()),
                "guestbook",
                Bytes.utf8(source.path()),
                "team",
                environment,
                Optional.empty(),
                new Cancellation());
    }

    private PluginHost open(KnownPlugin plugin) {
        opened.add(plugin.name());
        return switch (plugin) {
            case KnownPlugin.Socket(Path socket, String _) -> new SidecarHost(socket, base, ClientOptions.DEFAULT);
            case KnownPlugin.Definition definition ->
                new LocalHost(
                        definition.plugin(),
                        new LocalSettings(
                                Bytes.utf8(base.toString()),
                                Optional.empty(),
                                Departures.NONE_SWITCHED_BACK,
                                ExecTimeouts.DEFAULT,
                                true,
                                TransportLimits.DEFAULT_MESSAGE_BYTES,
                                new FencePolicy(
                                        FencePolicy.Level.BY_DEFINITION, new SystemFiles(System.getenv(), List.of()))),
                        runner,
                        CommandEnvironment.ofThisProcess(Map.of()));
        };
    }

    @Override
    public void close() {
        runner.close();
    }
}
