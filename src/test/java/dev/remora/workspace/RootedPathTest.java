package dev.remora.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RootedPathTest {
    @TempDir
    Path above;

    private Path root;
    private Bytes rootBytes;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectories(above.resolve("root"));
        rootBytes = Bytes.utf8(root.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "., ''",
        "'', ''",
        "app, /app",
        "./app/, /app",
        "app//sub/.., /app",
        "/etc, /etc",
        "app/../other, /other",
        "..foo, /..foo",
        "missing/deep, /missing/deep"
    })
    void cleansWhatStaysInsideByText(String relative, String expected) {
        RootedPath path = RootedPath.lexical(rootBytes, Bytes.utf8(relative));

        assertThat(path.path().toString()).isEqualTo(root + expected);
        assertThat(path.root()).isEqualTo(rootBytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../x", "app/../..", "../root-and-more", "/..", "a/../../root2"})
    void refusesWhatLeavesByText(String relative) {
        assertThatThrownBy(() -> RootedPath.lexical(rootBytes, Bytes.utf8(relative)))
                .hasMessageContaining("illegal appPath: out of workDir bound")
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.code()).isEqualTo(FaultCode.PATH_OUTSIDE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "\0", "../\0"})
    void refusesNulBothWays(String relative) {
        assertThatThrownBy(() -> RootedPath.resolved(rootBytes, Bytes.utf8(relative)))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("invalid argument");
    }

    @Test
    void refusesNulByText() {
        assertThatThrownBy(() -> RootedPath.lexical(rootBytes, Bytes.utf8("a\0b")))
                .hasMessageContaining("invalid argument");
    }

    @Test
    void refusesPartsAndPathsThatAreTooLongBothWays() {
        for (String relative : new String[] {"a".repeat(256), "a/" + "b".repeat(300) + "/..", "a/".repeat(2100)}) {
            assertThatThrownBy(() -> RootedPath.lexical(rootBytes, Bytes.utf8(relative)))
                    .hasMessageContaining("file name too long");
            assertThatThrownBy(() -> RootedPath.resolved(rootBytes, Bytes.utf8(relative)))
                    .hasMessageContaining("file name too long");
        }
    }

    @Test
    void takesAPartOfTheGreatestLength() {
        assertThat(RootedPath.lexical(rootBytes, Bytes.utf8("a".repeat(255)))
                        .path()
                        .length())
                .isEqualTo(rootBytes.length() + 256);
    }

    @ParameterizedTest
    @CsvSource({
        "., ''",
        "app, /app",
        "../../app, /app",
        "link, /app",
        "link/sub, /app/sub",
        "up, ''",
        "up/up/app, /app",
        "absolute, /app",
        "out, /etc",
        "missing/../app, /app",
        "missing/x, /missing/x",
        "file/x, /file/x",
        "file/../app, /app",
        "chain, /app",
        "app/../link/.., ''"
    })
    void followsLinksInsideTheRoot(String relative, String expected) throws IOException {
        Files.createDirectories(root.resolve("app/sub"));
        Files.writeString(root.resolve("file"), "1");
        Files.createSymbolicLink(root.resolve("link"), Path.of("app"));
        Files.createSymbolicLink(root.resolve("up"), Path.of("../../.."));
        Files.createSymbolicLink(root.resolve("absolute"), Path.of("/app"));
        Files.createSymbolicLink(root.resolve("out"), Path.of("/../etc"));
        Files.createSymbolicLink(root.resolve("chain"), Path.of("app/../link"));

        RootedPath path = RootedPath.resolved(rootBytes, Bytes.utf8(relative));

        assertThat(path.path().toString()).isEqualTo(root + expected);
    }

    @Test
    void refusesALoopOfLinksInsteadOfTakingAnotherFolder() throws IOException {
        Files.createSymbolicLink(root.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(root.resolve("b"), Path.of("a"));

        assertThatThrownBy(() -> RootedPath.resolved(rootBytes, Bytes.utf8("a/app")))
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.code()).isEqualTo(FaultCode.PATH_INVALID))
                .hasMessageContaining("too many levels of symbolic links");
    }
}
