package dev.remora.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A million names fit a heap of 64 MiB, even where the rule lets none of them go.
class MillionNamesTest {
    private static final String HEAP = "-Xmx64m";

    @ParameterizedTest
    @CsvSource({
        "fileName, '*/*.yaml', true",
        "fileName, kustomization.yaml, false",
        "findGlob, '**/kustomization.yaml', false",
        "findGlob, '**/nowhere/*.yaml', false",
        "findGlob, folder-7/manifest-8.yaml, true",
        "findGlob, '**/*-7/manifest-999.{yaml,yml}', true",
    })
    void judgesAMillionNamesInASmallHeap(String rule, String pattern, String supported)
            throws IOException, InterruptedException {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MillionNames.class.getName(),
                        rule,
                        pattern)
                .redirectErrorStream(true)
                .start();
        String answer = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(java.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(java.exitValue()).as(answer).isZero();
        assertThat(answer).startsWith(supported + " ");
    }
}
