package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.discovery.Verdict;
import dev.remora.fault.Fault;
import dev.remora.manifest.ManifestDocument;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import dev.remora.telemetry.Phases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What both hosts promise, asked of each with the same folder: modes, links, exclusions, environment, faults.
abstract class PluginHostContract {
    /// Prints one object that tells what the command sees of the folder and of its environment.
    private static final String SEEING = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata: {name: seeing}
            spec:
              preserveFileMode: %s
              generate:
                command: [sh, -ec]
                args:
                - |
                  seen=$(find . -printf '%%p %%y %%m %%l;' | tr ';' '\\n' | LC_ALL=C sort | tr '\\n' ';')
                  printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"seen"},"data":{"files":"%%s","env":"%%s"}}' \
                    "$seen" "$ARGOCD_ENV_X"
              discover: {fileName: './a.*'}
              parameters:
                static: [{name: fixed, map: {k: v}, collectionType: map}]
                dynamic: {command: [sh, -c, 'echo "[{\\"name\\": \\"made\\", \\"array\\": [\\"$ARGOCD_ENV_X\\"]}]"']}
            """;

    private static final String FAILING = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata: {name: failing}
            spec: {generate: {command: [sh, -c, 'echo some words >&2; exit 3']}}
            """;

    /// Reads a file beside the application, and wants folders with a script.
    private static final String MISSING = """
            apiVersion: argoproj.io/v1alpha1
            kind: ConfigManagementPlugin
            metadata: {name: missing}
            spec:
              generate: {command: [cat, ../shared.txt, ../lib/common.txt]}
              discover: {fileName: '*.sh'}
            """;

    @TempDir
    Path folder;

    /// A host that runs `definition`.
    abstract PluginHost host(PluginDefinition definition, String text) throws IOException;

    @BeforeEach
    void makeFolder() throws IOException {
        Path app = Files.createDirectories(folder.resolve("repo/app"));
        Files.writeString(app.resolve("a.yaml"), "a: 1\n");
        Files.writeString(app.resolve("run.sh"), "true\n");
        Files.setPosixFilePermissions(app.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(app.resolve("link"), Path.of("../shared.txt"));
        Files.writeString(folder.resolve("repo/shared.txt"), "shared\n");
        Files.createDirectory(app.resolve("left-out"));
        Files.writeString(app.resolve("left-out/x"), "x\n");
        Files.createDirectory(app.resolve("empty"));
    }

    @Test
    void showsTheFolderAsASidecarSeesIt() throws IOException {
        assertThat(text(generate(SEEING.formatted("false"))))
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"seen\"},\"data\":{"
                        + "\"files\":\". d 755 ;./a.yaml f 644 ;./empty d 755 ;./link l 777 ../shared.txt;./run.sh f 644 ;\","
                        + "\"env\":\"x y\"}}");
    }

    @Test
    void keepsModesWhereTheDefinitionSaysSo() throws IOException {
        assertThat(text(generate(SEEING.formatted("true")))).contains("./run.sh f 755 ;");
    }

    @Test
    void saysWhetherThePluginWantsTheFolder() throws IOException {
        try (PluginHost host = open(SEEING.formatted("false"))) {
            assertThat(host.match(request("app"), new Phases())).isInstanceOf(Verdict.Yes.class);
            assertThat(host.match(request("."), new Phases())).isInstanceOf(Verdict.No.class);
        }
        try (PluginHost host = open(FAILING)) {
            assertThat(host.match(request("app"), new Phases())).isInstanceOf(Verdict.Unasked.class);
        }
    }

    @Test
    void announcesDynamicParametersBeforeStaticOnes() throws IOException {
        try (PluginHost host = open(SEEING.formatted("false"))) {
            List<ParameterAnnouncement> all = host.announce(request("app"), new Phases());
            assertThat(all).extracting(ParameterAnnouncement::name).containsExactly("made", "fixed");
            assertThat(all.getFirst().array()).containsExactly("x y");
            assertThat(all.getLast().map()).containsEntry("k", "v");
        }
    }

    @Test
    void showsOnlyTheInputsAndSaysWhatWasMissedOfTheRest() throws IOException {
        Files.createDirectories(folder.resolve("repo/lib"));
        Files.writeString(folder.resolve("repo/lib/common.txt"), "common\n");
        String inputs = "remora: {inputs: ['{app}/*.yaml', '/shared.*']}\n";

        assertThat(text(generate(SEEING.formatted("false") + inputs)))
                .contains("\"files\":\". d 755 ;./a.yaml f 644 ;\"");
        try (PluginHost host = open(MISSING + inputs)) {
            assertThat(host.match(request("app"), new Phases())).isInstanceOf(Verdict.No.class);
            assertThatThrownBy(() -> host.generate(request("app"), new Phases()))
                    .isInstanceOf(Fault.class)
                    .hasMessageContaining("lib/common.txt")
                    .hasMessageContaining("o such file")
                    .hasMessageContaining(
                            "lib/common.txt exists in the repository but not in remora.inputs; add" + " \"/lib/**\"");
        }
        try (PluginHost host = open(MISSING)) {
            assertThat(host.match(request("app"), new Phases())).isInstanceOf(Verdict.Yes.class);
        }
    }

    @Test
    void reportsAFailureInTheSameWords() throws IOException {
        try (PluginHost host = open(FAILING)) {
            assertThatThrownBy(() -> host.generate(request("app"), new Phases()))
                    .isInstanceOf(Fault.class)
                    .hasMessageContaining("error generating manifests: ")
                    .hasMessageContaining("failed exit status 3: some words");
        }
    }

    @Test
    void refusesAPathOutsideTheFolder() throws IOException {
        try (PluginHost host = open(FAILING)) {
            assertThatThrownBy(() -> host.generate(request("../out"), new Phases()))
                    .hasMessageContaining("illegal appPath: out of workDir bound");
        }
    }

    @Test
    void sendsNothingWhenThereIsNoFile() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("nothing"));
        RenderRequest request = new RenderRequest(
                new SourceFolder(Bytes.utf8(empty.toString()), List.of()),
                "a",
                Bytes.utf8("."),
                "default",
                List.of(),
                Optional.empty(),
                new Cancellation());
        try (PluginHost host = open(FAILING)) {
            assertThatThrownBy(() -> host.generate(request, new Phases())).hasMessageContaining("no files to send(");
        }
    }

    private List<ManifestDocument> generate(String definition) throws IOException {
        try (PluginHost host = open(definition)) {
            return host.generate(request("app"), new Phases());
        }
    }

    private PluginHost open(String definition) throws IOException {
        return host(
                PluginDefinitionReader.read(definition.getBytes(StandardCharsets.UTF_8), "plugin.yaml"), definition);
    }

    RenderRequest request(String path) {
        return new RenderRequest(
                new SourceFolder(Bytes.utf8(folder.resolve("repo").toString()), List.of("app/left-out")),
                "a",
                Bytes.utf8(path),
                "default",
                List.of(EnvironmentVariable.of("ARGOCD_ENV_X", "x y")),
                Optional.of(Duration.ofSeconds(30)),
                new Cancellation());
    }

    private static String text(List<ManifestDocument> documents) {
        assertThat(documents).hasSize(1);
        return new String(documents.getFirst().json(), StandardCharsets.UTF_8);
    }
}
