package dev.remora.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class SystemFilesTest {
    @TempDir
    private Path temporary;

    private Path folder = Path.of("");

    @BeforeEach
    void resolve() throws IOException {
        folder = temporary.toRealPath();
    }

    @Test
    void findsTheSystemAndNoHome() {
        List<Bytes> found = new SystemFiles(Map.of("PATH", "/usr/bin:/bin", "HOME", "/root"), List.of()).readable();

        assertThat(found).contains(path("/usr"), path("/proc"));
        assertThat(found).doesNotContain(path("/"), path("/root"), path("/etc"), path("/etc/shadow"), path("/tmp"));
        assertThat(found).anyMatch(each -> FoundFiles.isBelow(path("/etc/passwd"), each));
        assertThat(found).noneMatch(each -> FoundFiles.isBelow(path("/etc/shadow"), each));
    }

    @Test
    void aProgramsFolderOpensWhatBelongsToItAndNotItsHome() throws IOException {
        for (String name : List.of("tool/bin", "tool/lib", "tool/share", "tool/secrets")) {
            Files.createDirectories(folder.resolve(name));
        }

        List<Bytes> found = find(Map.of("PATH", folder + "/tool/bin:relative::" + folder + "/none"));

        assertThat(found).contains(path("tool/bin"), path("tool/lib"), path("tool/share"));
        assertThat(found).noneMatch(each -> FoundFiles.isBelow(path("tool/secrets"), each));
    }

    @Test
    void followsLinksToProgramsElsewhere() throws IOException {
        Files.createDirectories(folder.resolve("links"));
        Files.createDirectories(folder.resolve("jdk/bin"));
        Files.createDirectories(folder.resolve("jdk/lib"));
        Files.createFile(folder.resolve("jdk/bin/java"));
        Files.createSymbolicLink(folder.resolve("alternative"), folder.resolve("jdk/bin/java"));
        Files.createSymbolicLink(folder.resolve("links/java"), folder.resolve("alternative"));

        assertThat(find(Map.of("PATH", folder + "/links")))
                .contains(path("links"), path("jdk/bin"), path("jdk/lib"))
                .doesNotContain(path("alternative"));
    }

    @Test
    void aProgramInAHomeOpensItsFileAlone() throws IOException {
        Files.createDirectories(folder.resolve("links"));
        Files.createDirectories(folder.resolve("home"));
        Files.createFile(folder.resolve("home/tool"));
        Files.createSymbolicLink(folder.resolve("links/tool"), folder.resolve("home/tool"));

        List<Bytes> found = find(Map.of("PATH", folder + "/links:" + folder + "/home", "HOME", folder + "/home"));

        assertThat(found).contains(path("home/tool")).doesNotContain(path("home"));
    }

    @Test
    void nothingFoundOpensAPlaceThatMustStayClosed() throws IOException {
        Files.createDirectories(folder.resolve("work/requests"));

        List<Bytes> found = new SystemFiles(
                        Map.of("PATH", folder + "/work", "LD_LIBRARY_PATH", folder.toString()),
                        List.of(path("work/requests")))
                .readable();

        assertThat(found).noneMatch(each -> FoundFiles.isBelow(path("work/requests"), each));
    }

    @Test
    void namesWhatIsPublicWhereNotAllIs() throws IOException {
        Files.createDirectories(folder.resolve("etc/ssl/certs"));
        Files.createDirectories(folder.resolve("etc/ssl/private"));
        Files.createFile(folder.resolve("etc/ssl/certs/a"));
        Files.createFile(folder.resolve("etc/passwd"));
        Files.createFile(folder.resolve("etc/shadow"));
        Files.createFile(folder.resolve("outside"));
        Files.createFile(folder.resolve("secret"));
        Files.createSymbolicLink(folder.resolve("etc/link"), folder.resolve("outside"));
        Files.createSymbolicLink(folder.resolve("etc/trap"), folder.resolve("secret"));
        mode("etc/shadow", "rw-------");
        mode("secret", "rw-r-----");
        mode("etc/ssl/private", "rwx------");
        FoundFiles found = new FoundFiles(List.of());

        PublicEntries.addTo(found, path("etc"));

        assertThat(found.paths()).containsExactlyInAnyOrder(path("etc/ssl/certs"), path("etc/passwd"), path("outside"));
    }

    @Test
    void aFolderThatIsPublicThroughoutIsOnePath() throws IOException {
        Files.createDirectories(folder.resolve("etc/a/b"));
        Files.createFile(folder.resolve("etc/a/b/c"));
        FoundFiles found = new FoundFiles(List.of());

        PublicEntries.addTo(found, path("etc"));

        assertThat(found.paths()).containsExactly(path("etc"));
    }

    private List<Bytes> find(Map<String, String> environment) {
        return new SystemFiles(environment, List.of()).readable();
    }

    private void mode(String name, String rights) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString(rights));
    }

    private Bytes path(String name) {
        return Bytes.utf8(folder.resolve(name).toString());
    }
}
