package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The reference pages say what the code says; `-Dremora.rewrite=true` writes them anew.
class ReferencePagesTest {
    @Test
    void settingsPageIsWhatTheDeclarationsSay() throws IOException {
        Golden.check(Path.of("docs/reference/settings.md"), ReferencePages.settings());
    }

    @Test
    void departuresPageIsWhatTheTableSays() throws IOException {
        Golden.check(Path.of("docs/reference/departures.md"), ReferencePages.departures());
    }

    @Test
    void faultCodesPageIsWhatTheTableSays() throws IOException {
        Golden.check(Path.of("docs/reference/fault-codes.md"), ReferencePages.faultCodes());
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void everyCodeHasItsOwnNameASentenceAndAnAdvice(FaultCode code) {
        assertThat(code.id()).matches("[a-z]+([.-][a-z0-9]+)*");
        assertThat(code.summary()).endsWith(".");
        assertThat(code.advice()).endsWith(".");
        assertThat(FaultCode.values())
                .filteredOn(other -> other.id().equals(code.id()))
                .hasSize(1);
    }

    @Test
    void departuresPageNamesEveryRow() throws IOException {
        String page = Files.readString(Path.of("docs/reference/departures.md"));
        for (Departure departure : Departure.values()) {
            assertThat(page).contains("| `" + departure.row() + "` |");
        }
    }

    @Test
    void everyStoryIsOfACodeThatExists() throws IOException {
        List<String> ids = Arrays.stream(FaultCode.values()).map(FaultCode::id).toList();
        try (Stream<Path> stories = Files.list(Path.of("src/main/resources/dev/remora/cli/codes"))) {
            assertThat(stories.map(story -> story.getFileName().toString().replaceAll("\\.md$", "")))
                    .isNotEmpty()
                    .isSubsetOf(ids);
        }
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void explainsEveryCode(FaultCode code) {
        FakeConsole console = new FakeConsole(Path.of("/"));
        assertThat(console.run("explain", code.id())).isZero();
        assertThat(console.out())
                .startsWith("# " + code.id() + "\n\n" + code.summary())
                .contains(code.advice());
        assertThat(console.run("explain", code.id(), "-o", "json")).isZero();
        assertThat(console.out()).contains("\"schema\" : \"remora/explain-code/v1\"");
    }
}
