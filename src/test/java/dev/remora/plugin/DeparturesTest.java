package dev.remora.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeparturesTest {
    @Test
    void goesItsOwnWayUnlessToldOtherwise() {
        assertThat(Departure.values()).allMatch(Departures.NONE_SWITCHED_BACK::departs);
        assertThat(Departure.values()).allMatch(Departures.ARGOCD::asArgoCd);
    }

    @Test
    void readsRowsAndAll() {
        assertThat(Departures.parse("literal-glob, kill").switchedBack())
                .containsExactlyInAnyOrder(Departure.LITERAL_GLOB, Departure.KILL);
        assertThat(Departures.parse("all")).isEqualTo(Departures.ARGOCD);
    }

    @Test
    void reportsEveryUnknownRowWithAProposal() {
        Fault fault = catchThrowableOfType(Fault.class, () -> Departures.parse("literal-glop,kill,x-files"));

        assertThat(fault.code()).isEqualTo(FaultCode.USAGE);
        assertThat(fault.problems()).hasSize(2);
        assertThat(fault)
                .hasMessageContaining("unknown row \"literal-glop\", did you mean literal-glob?")
                .hasMessageContaining("unknown row \"x-files\"");
    }

    @Test
    void everyRowHasAShortNameOfItsOwnAndTwoHalfSentences() {
        assertThat(Arrays.stream(Departure.values()).map(Departure::row))
                .doesNotHaveDuplicates()
                .doesNotContain("all")
                .allMatch(row -> row.matches("[a-z]+(-[a-z]+)*"));
        assertThat(Arrays.stream(Departure.values()))
                .noneMatch(row -> row.argoCd().isBlank()
                        || row.remora().isBlank()
                        || row.remora().endsWith("."));
    }
}
