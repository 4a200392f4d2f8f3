package dev.remora.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "90s, 90000",
        "1m30s, 90000",
        "1.5h, 5400000",
        "250ms, 250",
        "0, 0",
        "-2s, -2000",
        "+1s, 1000",
        ".5s, 500",
        "1.s, 1000",
        "2h45m, 9900000",
        "1h1h, 7200000"
    })
    void readsWhatGoReads(String text, long millis) {
        assertThat(GoDuration.parse(text)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "s",
                "1 s",
                "1d",
                "1e3s",
                ".s",
                "-",
                "00",
                "1s ",
                "300000000h",
                "1S",
                "--1s",
                "9999999999999999s"
            })
    void refusesWhatGoRefuses(String text) {
        assertThat(GoDuration.parse(text)).isEmpty();
    }
}
