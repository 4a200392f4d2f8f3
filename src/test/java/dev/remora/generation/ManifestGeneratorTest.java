package dev.remora.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departures;
import dev.remora.plugin.PluginDefinition;
import dev.remora.telemetry.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The table of docs/spec/wire.md that concerns generation, by real commands.
class ManifestGeneratorTest {
    private static final String CONFIG_MAP =
            "{\"apiVersion\":\"v1\",\"data\":{\"foo\":\"bar\"},\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"my-map\"}}";

    @TempDir
    Path folder;

    private Rendering rendering;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(
                folder.resolve("cm.yaml"),
                "kind: ConfigMap\napiVersion: v1\nmetadata: {name: my-map}\ndata: {foo: bar}\n");
        rendering = new Rendering(folder);
    }

    @AfterEach
    void close() {
        rendering.close();
    }

    @Test
    void givesTheDocumentsAsSortedJson() {
        assertThat(rendering.generate(Rendering.generating("cat cm.yaml"))).containsExactly(CONFIG_MAP);
    }

    @Test
    void runsInitBeforeGenerateInTheSameFolder() {
        PluginDefinition plugin = Rendering.plugin("""
                spec:
                  init: {command: [sh, -c, 'echo noise; cp cm.yaml made.yaml']}
                  generate: {command: [cat, made.yaml]}
                """);

        assertThat(rendering.generate(plugin)).containsExactly(CONFIG_MAP);
        assertThat(rendering.phases.took()).containsKeys(Phase.INIT, Phase.GENERATE, Phase.CHECK);
    }

    @Test
    void letsABackgroundProcessOfInitServeGenerate() {
        PluginDefinition plugin = Rendering.plugin("""
                spec:
                  init: {command: [sh, -c, 'mkfifo pipe; (cat cm.yaml > pipe) > /dev/null 2>&1 &']}
                  generate: {command: [cat, pipe]}
                """);

        assertThat(rendering.generate(plugin)).containsExactly(CONFIG_MAP);
    }

    @Test
    void failsWithInitAndDoesNotGenerate() {
        PluginDefinition plugin = Rendering.plugin("""
                spec:
                  init: {command: [sh, -c, 'echo no chart >&2; exit 4']}
                  generate: {command: [touch, generated]}
                """);

        refused(plugin)
                .hasMessage(
                        "error generating manifests: `sh -c \"echo no chart >&2; exit 4\"` failed exit status 4: no chart");
        assertThat(folder.resolve("generated")).doesNotExist();
    }

    @Test
    void givesTheRequestsVariablesToBothCommands() {
        PluginDefinition plugin = Rendering.plugin("""
                spec:
                  init: {command: [sh, -c, 'echo "$KIND" > kind']}
                  generate: {command: [sh, -c, 'printf "apiVersion: v1\\nkind: %s%s\\n" "$(cat kind)" "$KIND"']}
                """);

        assertThat(rendering.with("KIND", "Ab").generate(plugin))
                .containsExactly("{\"apiVersion\":\"v1\",\"kind\":\"AbAb\"}");
    }

    @Test
    void saysThatAProgramIsMissing() {
        refused(Rendering.plugin("spec: {generate: {command: [bad-command]}}"))
                .hasMessageContaining("executable file not found");
    }

    @Test
    void refusesOutputThatIsNoYaml() {
        refused(Rendering.generating("echo 'invalid yaml: }'")).hasMessageContaining("failed to unmarshal manifest");
    }

    @Test
    void refusesAnEmptyAnswerUnlessItIsMeant() {
        refused(Rendering.generating("echo 'Error: chart not found' >&2"))
                .satisfies(fault -> assertThat(((Fault) fault).code()).isEqualTo(FaultCode.OUTPUT_EMPTY))
                .hasMessageContaining("chart not found");
        assertThat(rendering.generate(Rendering.plugin(
                        "spec: {generate: {command: ['true']}}\nremora: {output: {allowEmpty: true}}\n")))
                .isEmpty();
    }

    @Test
    void takesAnEmptyAnswerAndAnyDocumentInArgoCdsWay() {
        rendering.as(Departures.ARGOCD);

        assertThat(rendering.generate(Rendering.generating("true"))).isEmpty();
        assertThat(rendering.generate(Rendering.generating("echo Loading"))).containsExactly("\"Loading\"");
    }

    @Test
    void refusesADocumentThatIsNoObject() {
        refused(Rendering.generating("echo Loading; echo ---; cat cm.yaml"))
                .satisfies(fault -> assertThat(((Fault) fault).code()).isEqualTo(FaultCode.OUTPUT_NOT_OBJECT))
                .hasMessageContaining("document 1");
    }

    @Test
    void doesNotStartACommandWithoutTimeLeft() {
        rendering.within(Duration.ZERO);

        refused(Rendering.generating("touch started"))
                .hasMessageContaining("context deadline exceeded")
                .satisfies(fault -> assertThat(((Fault) fault).code()).isEqualTo(FaultCode.CALL_DEADLINE));
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void answersBeforeTheDeadlineAndKeepsWhatTheCommandSaidAtItsEnd() {
        rendering.within(Duration.ofMillis(1500));
        long start = System.nanoTime();

        refused(Rendering.generating("(trap 'echo cleanup completed >&2; exit' TERM; while :; do sleep 0.05; done)"))
                .hasMessageContaining("the caller's 1.5s ran out in generate")
                .hasMessageContaining("cleanup completed");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1500));
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(PluginDefinition plugin) {
        return assertThatThrownBy(() -> rendering.generate(plugin)).isInstanceOf(Fault.class);
    }
}
