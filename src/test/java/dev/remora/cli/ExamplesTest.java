package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsTool;
import dev.remora.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Every plugin in `examples/` renders its folder, by the command lines that README shows.
class ExamplesTest {
    private final FakeConsole console = new FakeConsole(Path.of("").toAbsolutePath()).with("PATH", Tools.path());

    @Test
    void plainPrintsTheFilesOfTheFolder() {
        assertThat(render("plain", "-o", "name")).isEqualTo("configmap/greeting\nservice/greeting\n");
    }

    @Test
    void readmeShowsTheTrueOutputOfItsFirstCommand() throws Exception {
        String output = render("plain");

        String command = "$ ./remora render examples/plain/app --plugin examples/plain/plugin.yaml\n";
        assertThat(Files.readString(Path.of("README.md"))).contains(command + output + "app: 2 objects, plain, ");
    }

    @Test
    void dynamicTakesTheParameterThatTheFolderAnnounces() {
        assertThat(render("dynamic", "--plugin-param", "environment=prod"))
                .contains("name: settings-prod", "replicas: \"3\"", "level: warning");
    }

    @Test
    void dynamicAnnouncesOneChoiceForEachFile() {
        int exit =
                console.run("params", "examples/dynamic/app", "--plugin", "examples/dynamic/plugin.yaml", "-o", "json");

        assertThat(exit).as(console.err()).isZero();
        assertThat(console.out()).contains("\"name\" : \"environment\"", "one of dev, prod");
    }

    @Test
    void plainAnnouncesNothingAndParamsSaysSo() {
        int exit = console.run("params", "examples/plain/app", "--plugin", "examples/plain/plugin.yaml");

        assertThat(exit).as(console.err()).isZero();
        assertThat(console.out()).isEmpty();
        assertThat(console.err()).contains("note: plain announces no parameters");
    }

    @Test
    void dynamicRefusesAnEnvironmentThatIsNoName() {
        int exit = console.run(
                "render",
                "examples/dynamic/app",
                "--plugin",
                "examples/dynamic/plugin.yaml",
                "--plugin-param",
                "environment=../x");

        assertThat(exit).isEqualTo(3);
        assertThat(console.err()).contains("only a-z, 0-9 and - are allowed");
    }

    @Test
    @NeedsTool("kustomize")
    void kustomizeBuildsAnOverlay() {
        assertThat(render("kustomize", "--path", "overlays/prod"))
                .contains("namespace: prod", "replicas: 3", "image: web:1.4");
    }

    @Test
    @NeedsTool({"helm", "gojq"})
    void helmTakesValuesFilesAndSingleValues() {
        String output = render(
                "helm",
                "--app-name",
                "shop",
                "--plugin-param",
                "values-files[]=prod.yaml",
                "--plugin-param",
                "helm-parameters.image.tag=1.4");

        assertThat(output).contains("name: shop", "replicas: 3", "image: web:1.4");
    }

    @Test
    @NeedsTool({"helm", "gojq"})
    void helmTakesWhatLooksLikeShellAsText() {
        assertThat(render("helm", "--plugin-param", "helm-parameters.image.tag=$(id) two"))
                .contains("image: web:$(id) two");
    }

    @Test
    @NeedsTool("gojq")
    void helmAnnouncesTheValuesOfTheChart() {
        int exit = console.run("params", "examples/helm/app", "--plugin", "examples/helm/plugin.yaml", "-o", "json");

        assertThat(exit).as(console.err()).isZero();
        assertThat(console.out()).contains("\"image.tag\" : \"1.0\"", "\"values-files\"");
    }

    /// A folder command renders once, so it runs the command; what the worker makes of it is in `WarmExampleTest`.
    @Test
    @NeedsTool("python3")
    void warmRendersByItsCommand() {
        console.with("WARM_HOME", Path.of("examples/warm").toAbsolutePath().toString());

        assertThat(render("warm", "--app-name", "shop", "-o", "name"))
                .isEqualTo("configmap/greeting\nconfigmap/farewell\n");
    }

    @Test
    @NeedsTool("kapitan")
    void kapitanCompilesTheTargetOfTheApplication() {
        assertThat(render("kapitan", "--plugin-env", "TARGET=web-prod")).contains("name: web-prod", "replicas: \"3\"");
    }

    @Test
    void kapitanSaysThatATargetIsMissing() {
        int exit = console.run("render", "examples/kapitan/app", "--plugin", "examples/kapitan/plugin.yaml");

        assertThat(exit).isEqualTo(3);
        assertThat(console.err()).contains("set spec.source.plugin.env TARGET");
    }

    private String render(String example, String... more) {
        var words = new java.util.ArrayList<String>(java.util.List.of(
                "render", "examples/" + example + "/app", "--plugin", "examples/" + example + "/plugin.yaml"));
        words.addAll(java.util.List.of(more));
        int exit = console.run(words.toArray(String[]::new));
        assertThat(exit).as(console.err()).isZero();
        return console.out();
    }
}
