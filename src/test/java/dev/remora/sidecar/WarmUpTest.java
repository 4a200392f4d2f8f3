package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that calls itself after its start.
class WarmUpTest {
    @TempDir
    Path folder;

    @Test
    void callsItselfAndLeavesNoTrace() throws Exception {
        try (var sidecar = warming(3)) {
            RunningSidecar.await(() ->
                    sidecar.logged().contains("warm-up") || sidecar.logged().contains("warmed up"));
            assertThat(sidecar.logged()).contains("warmed up by 18 calls").doesNotContain("finished call");
            RunningSidecar.await(() -> entries(folder.resolve("work/_cmp_server")) == 1);
            assertThat(sidecar.generate(
                            "cat", SmallArchive.of(java.util.Map.of("a.yaml", "apiVersion: v1\nkind: A")), "."))
                    .hasSize(1);
        }
        assertThat(folder.resolve("s")).isEmptyDirectory();
    }

    @Test
    void isEndedByAStop() throws Exception {
        var sidecar = warming(1_000_000);
        RunningSidecar.await(() -> entries(folder.resolve("work/_cmp_server")) > 0);
        long began = System.nanoTime();

        sidecar.close();

        assertThat((System.nanoTime() - began) / 1_000_000).isLessThan(20_000);
        assertThat(entries(folder.resolve("work/_cmp_server"))).isZero();
    }

    private RunningSidecar warming(int rounds) throws Exception {
        return new RunningSidecar(
                folder,
                RunningSidecar.CAT,
                options -> options.with(options.rules().withWarmUp(rounds)));
    }

    /// Without the lock.
    private static long entries(Path base) {
        try (Stream<Path> all = Files.list(base)) {
            return all.filter(path -> !path.endsWith("lock")).count();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
