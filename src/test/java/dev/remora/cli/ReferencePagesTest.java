package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
