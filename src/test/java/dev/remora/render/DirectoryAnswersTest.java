package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.manifest.PostProcessing;
import dev.remora.manifest.RenderedObject;
import dev.remora.manifest.Tracking;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Plain directories, as Argo CD's repo-server reads them.
class DirectoryAnswersTest {
    private static final int CASES = 102;

    @TempDir
    private Path temporary;

    @TestFactory
    Stream<DynamicTest> answersWhatTheRepoServerAnswers() throws IOException {
        List<DirectoryCases.Case> cases = DirectoryCases.of("answers.json");
        assertThat(cases).hasSize(CASES);
        return cases.stream().map(each -> DynamicTest.dynamicTest(each.text("name"), () -> check(each)));
    }

    private void check(DirectoryCases.Case each) throws IOException {
        Path root = temporary.resolve(each.text("name"));
        each.write(root);
        if (each.has("message") || each.has("refused")) {
            Fault fault = catchThrowableOfType(Fault.class, () -> render(root, each));
            assertThat(fault).as("a fault").isNotNull();
            assertThat(masked(Fault.words(fault)))
                    .contains(masked(each.optional("refused").orElseGet(() -> each.text("message"))));
            return;
        }
        assertThat(render(root, each)).containsExactlyElementsOf(each.manifests());
    }

    private static List<String> render(Path root, DirectoryCases.Case each) {
        Path folder = root.resolve(each.text("path")).normalize();
        DirectorySource.Contents contents =
                new DirectorySource(DirectorySource.DEFAULT_BYTES).read(root, folder, each.settings());
        PostProcessing after = new PostProcessing(new Tracking(Tracking.Method.ANNOTATION, "", "", "", ""));
        return contents.files().stream()
                .flatMap(file -> after.ofFile(0, file.path(), file.documents()).stream())
                .map(RenderedObject::json)
                .map(json -> new String(json, StandardCharsets.UTF_8))
                .toList();
    }

    /// The words of the system for a link that leads to itself are not Go's, what an object holds is not shown,
    /// and lines are the file's instead of the chunk's.
    private static String masked(String message) {
        return message.replaceAll("(failed to evaluate symlink at \"l.yaml\": )[^\n]*", "$1")
                .replaceAll("yaml: line [0-9]+:", "yaml: line:")
                .replaceAll("(Object 'Kind' is missing) in '[^']*'", "$1");
    }
}
