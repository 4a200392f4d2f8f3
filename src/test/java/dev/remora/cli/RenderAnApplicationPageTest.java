package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.git.SourceRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/how-to/render-an-application.md`, carried out command by command on `examples/repository`: what the page shows
/// is what is printed.
class RenderAnApplicationPageTest {
    private static final Path PAGE = Path.of("docs/how-to/render-an-application.md");
    private static final Path EXAMPLE = Path.of("examples/repository");
    private static final String PROMPT = "$ ";
    private static final String MORE = "…";

    @TempDir
    Path temporary;

    /// @param lines what the page shows below it
    private record Step(String command, List<String> input, List<String> lines) {}

    @Test
    void showsWhatIsPrinted() throws Exception {
        SourceRepository repository = SourceRepository.in(temporary.resolve("deploy"));
        copy(EXAMPLE, repository.folder());
        repository.git("remote", "add", "origin", "https://git.example.com/team/deploy.git");
        repository.commit("Deploy");
        List<Step> steps = steps();
        assertThat(steps).hasSizeGreaterThan(6);

        for (Step step : steps) {
            if (step.command().startsWith("cat > ")) {
                repository.write(step.command().split(" ", -1)[2], String.join("\n", step.input()) + "\n");
            } else {
                assertPrinted(step, run(step.command(), repository.folder()));
            }
        }
        try (Stream<Path> left = Files.walk(temporary.resolve("work"))) {
            assertThat(left.filter(Files::isRegularFile)).allMatch(file -> file.endsWith("lock"));
        }
    }

    private static void assertPrinted(Step step, List<String> printed) {
        List<String> shown = step.lines().stream()
                .filter(line -> !line.equals(MORE))
                .map(RenderAnApplicationPageTest::withoutTimes)
                .toList();
        if (step.lines().contains(MORE)) {
            assertThat(printed).as(step.command()).containsAll(shown);
        } else {
            assertThat(printed).as(step.command()).containsExactlyInAnyOrderElementsOf(shown);
        }
    }

    private List<String> run(String command, Path folder) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        assertThat(words.removeFirst()).as(command).isEqualTo("remora");
        FakeConsole console = new FakeConsole(folder)
                .with("PATH", System.getenv("PATH"))
                .with("HOME", temporary.resolve("home").toString())
                .with(
                        "TMPDIR",
                        Files.createDirectories(temporary.resolve("work")).toString());
        int _ = console.run(words.toArray(String[]::new));
        return Stream.concat(console.out().lines(), console.err().lines())
                .map(RenderAnApplicationPageTest::withoutTimes)
                .toList();
    }

    private static String withoutTimes(String line) {
        return line.replaceAll("[0-9]+\\.[0-9]s", "…s");
    }

    /// The commands of Remora on the page and the files that it writes.
    private static List<Step> steps() throws IOException {
        List<Step> steps = new ArrayList<>();
        boolean console = false;
        boolean file = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
                continue;
            }
            if (console && line.startsWith(PROMPT)) {
                String command = line.substring(PROMPT.length());
                file = command.endsWith("<<'EOF'");
                steps.add(new Step(command, new ArrayList<>(), new ArrayList<>()));
            } else if (console && file && line.equals("EOF")) {
                file = false;
            } else if (console && !steps.isEmpty()) {
                (file ? steps.getLast().input() : steps.getLast().lines()).add(line);
            }
        }
        return steps.stream()
                .filter(step ->
                        step.command().startsWith("remora ") || step.command().startsWith("cat > "))
                .toList();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }
}
