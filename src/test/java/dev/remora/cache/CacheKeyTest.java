package dev.remora.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheKeyTest {
    @TempDir
    Path temporary;

    private Path folder;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = CacheKey.place(temporary.resolve("config").toString(), "");
        folder = temporary.resolve("config/remora");
    }

    @Test
    void isMadeOnFirstUseForItsOwnerOnly() throws IOException {
        CacheKey made = CacheKey.of(file);

        assertThat(file).isEqualTo(temporary.resolve("config/remora/cache.key"));
        assertThat(Files.size(file)).isEqualTo(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(names(folder)).containsExactly("cache.key");
        assertThat(CacheKey.of(file)).isEqualTo(made);
        assertThat(made.content().getEncoded()).isNotEqualTo(made.names().getEncoded());
        assertThat(made.toString()).isEqualTo("CacheKey[***]");
    }

    @Test
    void liesInTheHomeWithoutXdgConfigHome() {
        assertThat(CacheKey.place("", "/home/me")).isEqualTo(Path.of("/home/me/.config/remora/cache.key"));
        assertThat(CacheKey.place("relative", "/home/me")).isEqualTo(Path.of("/home/me/.config/remora/cache.key"));
        assertThatThrownBy(() -> CacheKey.place("", ""))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("set HOME or XDG_CONFIG_HOME to an absolute path");
    }

    @Test
    void refusesOneThatOthersMayRead() throws IOException {
        CacheKey.of(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertRefused("has the mode rw-r-----, and a key must have rw-------", "run chmod 600 " + file);
    }

    @Test
    void refusesOneThatWasCutOff() throws IOException {
        CacheKey.of(file);
        Files.write(file, new byte[31]);

        assertRefused("has 31 bytes, and a key has 32", "remove it: the next command makes one");
    }

    @Test
    void refusesALinkInItsPlace() throws IOException {
        Files.createDirectories(folder);
        Path elsewhere = Files.write(temporary.resolve("elsewhere"), new byte[32]);
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(file, elsewhere);

        assertRefused("is no regular file", "remove it");
    }

    private void assertRefused(String message, String advice) {
        assertThatThrownBy(() -> CacheKey.of(file))
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.code()).isEqualTo(FaultCode.CACHE_KEY))
                .hasMessageContaining(message)
                .hasMessageContaining(advice);
    }

    @Test
    void isTheSameForAllWhoMakeItAtOnce() throws Exception {
        int many = 16;
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
            List<Future<CacheKey>> keys = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                keys.add(threads.submit(() -> {
                    start.await();
                    return CacheKey.of(file);
                }));
            }
            start.countDown();
            CacheKey first = keys.getFirst().get();
            for (Future<CacheKey> key : keys) {
                assertThat(key.get()).isEqualTo(first);
            }
        }
        assertThat(names(folder)).containsExactly("cache.key");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }
}
