package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs [ContainmentProbe] as containers run us: without rights, under the locale C, as process 1.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OtherJvmTest {
    private static final List<String> WITHOUT_RIGHTS = List.of(
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all");

    @TempDir
    private Path folder;

    /// Another user can read neither the build's folder nor a temporary one.
    @BeforeEach
    void copyClasses() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (String origin : List.of("target/classes", "target/test-classes")) {
            for (String name : List.of("fault", "posix", "process", "sandbox")) {
                copy(Path.of(origin, "dev", "remora", name), folder.resolve("classes/dev/remora/" + name));
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Test
    void underTheLocaleCNamesAndValuesStayBytes() throws IOException, InterruptedException {
        assertThat(probe(List.of("env", "LC_ALL=C"), "bytes", ProcessSettings.Containment.BEST))
                .isEqualTo("ok\n");
    }

    @ParameterizedTest
    @EnumSource(names = {"BEST", "MARKER"})
    void aForkBombWithoutRightsIsStoppedWhole(ProcessSettings.Containment containment)
            throws IOException, InterruptedException {
        assertThat(probe(withoutRights(), "bomb", containment)).isEqualTo("ok\n");
    }

    @Test
    void nothingEscapesWithoutRights() throws IOException, InterruptedException {
        assumeTrue(Sandbox.scopesSignals(), "needs Landlock ABI 6");
        assertThat(probe(withoutRights(), "escapes", ProcessSettings.Containment.BEST))
                .isEqualTo("ok\n");
    }

    @Test
    void nothingEscapesWhenDescriptorsAreUsedUp() throws IOException, InterruptedException {
        assumeTrue(Sandbox.scopesSignals(), "needs Landlock ABI 6");
        assertThat(probe(List.of(), "no-descriptors", ProcessSettings.Containment.BEST))
                .isEqualTo("ok\n");
    }

    @Test
    void aRenderWithoutAThreadFailsAndTheNextWorks() throws IOException, InterruptedException {
        assertThat(probe(withoutRights(), "no-threads", ProcessSettings.Containment.BEST))
                .endsWith("\nok\n");
    }

    @Test
    void asProcessOneOrphansOfOthersAreReaped() throws IOException, InterruptedException {
        assumeTrue(isRoot() && Sandbox.scopesSignals(), "needs root to make a process namespace, and Landlock ABI 6");
        assertThat(probe(
                        List.of("unshare", "--pid", "--fork", "--mount-proc"),
                        "process-one",
                        ProcessSettings.Containment.BEST))
                .isEqualTo("ok\n");
    }

    private static List<String> withoutRights() {
        return isRoot() ? WITHOUT_RIGHTS : List.of();
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private String probe(List<String> prefix, String name, ProcessSettings.Containment containment)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder.resolve("classes").toString(),
                "dev.remora.process.ContainmentProbe",
                name,
                folder.toString(),
                containment.name()));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? output : output + "exit status " + process.exitValue();
    }
}
