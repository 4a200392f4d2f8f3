package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsTool;
import dev.remora.testing.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every plugin of `examples/` renders, as its golden folder says. `-Dremora.rewrite=true` writes the folders anew.
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();
    private static final Path GOLDEN = Path.of("src/test/resources/golden/examples");

    @TempDir
    Path folder;

    @Test
    void plain() throws IOException {
        renders("plain", "plain", "plain");
    }

    @Test
    void dynamicWithItsDefaultAndWithAParameter() throws IOException {
        renders("dynamic-default", "dynamic", "dynamic");
        renders("dynamic-prod", "dynamic", "dynamic", "--plugin-param", "environment=prod");
    }

    @Test
    @NeedsTool("kustomize")
    void kustomizeWithAnOverlay() throws IOException {
        renders("kustomize-prod", "kustomize", "kustomize", "--plugin-param", "overlay=overlays/prod");
    }

    @Test
    @NeedsTool({"helm", "gojq"})
    void helmWithValuesFilesAndSingleValues() throws IOException {
        renders(
                "helm-prod",
                "helm",
                "helm-with-parameters",
                "--plugin-param",
                "values-files[]=prod.yaml",
                "--plugin-param",
                "helm-parameters.image.tag=2.0");
    }

    @Test
    @NeedsTool("kapitan")
    void kapitanWithATarget() throws IOException {
        renders("kapitan-prod", "kapitan", "kapitan", "--plugin-env", "TARGET=web-prod");
    }

    @Test
    void announcesDynamicParameters() throws IOException {
        FakeConsole console = console();
        assertThat(console.run(
                        "params",
                        example("dynamic", "app"),
                        "--plugin",
                        example("dynamic", "plugin.yaml"),
                        "-o",
                        "json"))
                .isZero();
        Golden.check(GOLDEN.resolve("dynamic-params/params.json"), console.out());
        assertThat(console.run("params", example("dynamic", "app"), "--plugin", example("dynamic", "plugin.yaml")))
                .isZero();
        Golden.check(GOLDEN.resolve("dynamic-params/params.txt"), console.out());
    }

    private void renders(String golden, String example, String plugin, String... flags) throws IOException {
        FakeConsole console = console();
        for (String format : List.of("yaml", "json", "name", "wide")) {
            int code = console.run(arguments(example, format, flags));
            assertThat(code).as(console.err()).isZero();
            Golden.check(GOLDEN.resolve(golden).resolve("manifests." + format), console.out());
            assertThat(console.err()).matches("(?s)app: \\d+ objects?, " + plugin + ", \\d+\\.\\ds\n");
        }
    }

    private FakeConsole console() {
        return new FakeConsole(folder).with("PATH", Tools.path()).with("HOME", folder.toString());
    }

    private static String[] arguments(String example, String format, String... flags) {
        List<String> all = new ArrayList<>(List.of(
                "render",
                example(example, "app"),
                "--plugin",
                example(example, "plugin.yaml"),
                "--revision=0123456789abcdef0123456789abcdef01234567",
                "--progress=none",
                "-o",
                format));
        all.addAll(List.of(flags));
        return all.toArray(String[]::new);
    }

    private static String example(String name, String file) {
        return EXAMPLES.resolve(name).resolve(file).toString();
    }
}
