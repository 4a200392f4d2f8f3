package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
    private static final Map<String, String> LABELS = Map.of("team", "web", "example.com/tier", "1");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    team=web | true
                    team==web | true
                    team = web | true
                    team=db | false
                    team!=db | true
                    owner!=db | true
                    team in (db, web) | true
                    team notin (db,web) | false
                    owner notin (db) | true
                    owner in (db) | false
                    team | true
                    owner | false
                    !owner | true
                    !team | false
                    example.com/tier=1,team in (web,db),!owner | true
                    example.com/tier=1,team in (db) | false
                    """)
    void choosesAsKubectl(String selector, boolean holds) {
        assertThat(LabelSelector.parse(selector).holds(LABELS)).isEqualTo(holds);
    }

    @Test
    void choosesAllWhenEmpty() {
        assertThat(LabelSelector.parse("").holds(Map.of())).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    team=web,,a
                    team in web
                    =web
                    a=b=c
                    """)
    void refusesWhatIsNoSelector(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("--selector");
    }
}
