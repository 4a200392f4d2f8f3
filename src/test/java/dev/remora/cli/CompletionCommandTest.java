package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionCommandTest {
    @TempDir
    Path folder;

    @Test
    void bashCompletesCommandsFlagsAndChoices() throws Exception {
        assertThat(completed("remora", "re")).containsExactly("render");
        assertThat(completed("remora", "render", "--plugin-")).containsExactly("--plugin-env", "--plugin-param");
        assertThat(completed("remora", "render", ".", "-o", "")).containsExactly("yaml", "json", "name", "wide");
        assertThat(completed("remora", "explain", ".", "--output", "j")).containsExactly("json");
        assertThat(completed("remora", "completion", "f")).containsExactly("fish");
        assertThat(completed("remora", "serve", "--logf")).containsExactly("--logformat");
    }

    @Test
    void fishKnowsEveryFlag() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("completion", "fish")).isZero();
        for (CommandModel command : Commands.models()) {
            for (Setting setting : command.settings()) {
                assertThat(console.out()).contains("from " + command.name() + "' -l " + setting.key());
            }
        }
    }

    @Test
    @NeedsTool("fish")
    void fishCompletesCommandsFlagsAndChoices() throws Exception {
        assertThat(completedByFish("remora ren")).containsExactly("render");
        assertThat(completedByFish("remora render --plugin-")).containsExactly("--plugin-env", "--plugin-param");
        assertThat(completedByFish("remora explain --output j")).containsExactly("json");
        assertThat(completedByFish("remora completion z")).containsExactly("zsh");
    }

    private List<String> completedByFish(String typed) throws IOException, InterruptedException {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("completion", "fish")).isZero();
        Path completion = Files.writeString(folder.resolve("remora.fish"), console.out());
        String out = run("fish", "--no-config", "-c", "source " + completion + "; complete -C '" + typed + "'");
        return out.lines().map(line -> line.replaceAll("\t.*", "")).toList();
    }

    /// Sourced from `.zshrc`, and as a file that the first tab loads.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "autoload -Uz compinit; compinit -u -D; source %s/_remora",
                "fpath=(%s $fpath); autoload -Uz compinit; compinit -u -D"
            })
    @NeedsTool("zsh")
    void zshCompletesCommandsFlagsChoicesAndFiles(String setup) throws Exception {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("completion", "zsh")).isZero();
        Path functions = Files.createDirectory(folder.resolve("functions"));
        Files.writeString(functions.resolve("_remora"), console.out());

        String out = run(
                "zsh",
                "-f",
                Path.of("src/test/resources/shell/typed.zsh").toAbsolutePath().toString(),
                "cd " + folder + "; " + setup.formatted(functions),
                "remora ren",
                "remora render --plugin-e",
                "remora explain . --output j",
                "remora completion z",
                "remora serve --logf",
                "remora render func");

        assertThat(out.lines())
                .containsExactly(
                        "render",
                        "render|--plugin-env",
                        "explain|.|--output|json",
                        "completion|zsh",
                        "serve|--logformat",
                        "render|functions");
    }

    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Map.of("HOME", folder.toString(), "TERM", "dumb"));
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Test
    void refusesAnUnknownShell() {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("completion", "fihs")).isEqualTo(2);
        assertThat(console.err()).contains("did you mean fish?");
    }

    private List<String> completed(String... words) throws IOException, InterruptedException {
        FakeConsole console = new FakeConsole(folder);
        assertThat(console.run("completion", "bash")).isZero();
        Path script = folder.resolve("script.bash");
        StringBuilder array = new StringBuilder();
        for (String word : words) {
            array.append('\'').append(word).append("' ");
        }
        Files.writeString(
                script,
                console.out() + "COMP_WORDS=(" + array + ")\nCOMP_CWORD=" + (words.length - 1)
                        + "\n_remora\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
        Process bash = new ProcessBuilder("bash", "--norc", script.toString())
                .redirectErrorStream(true)
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        return out.lines().toList();
    }
}
