package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolIdentityTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makeTool() throws IOException {
        program("render-tool", "one");
    }

    @Test
    void staysWhileToolsDo() {
        assertThat(identity("render-tool", "--x")).isEqualTo(identity("render-tool", "--x"));
        assertThat(identity("render-tool", "--x").lines())
                .singleElement()
                .asString()
                .startsWith(folder + "/render-tool ");
    }

    @Test
    void changesWithAToolThatAWordOfAScriptNames() throws IOException {
        String before = identity("sh", "-c", "set -e; cat x|render-tool --y >/dev/null");
        program("render-tool", "two");

        assertThat(identity("sh", "-c", "set -e; cat x|render-tool --y >/dev/null"))
                .isNotEqualTo(before);
    }

    @Test
    void changesWhenAToolIsReplacedByOneOfTheSameSize() throws IOException {
        String before = identity("render-tool");
        program("next", "two");
        Files.move(folder.resolve("next"), folder.resolve("render-tool"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(identity("render-tool")).isNotEqualTo(before);
    }

    @Test
    void changesWithAScriptBehindAMountedLink() throws IOException {
        Files.writeString(folder.resolve("v1"), "a");
        Files.writeString(folder.resolve("v2"), "b");
        Path link = Files.createSymbolicLink(folder.resolve("script"), Path.of("v1"));
        String before = identity("sh", link.toString());
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("v2"));

        assertThat(identity("sh", link.toString())).isNotEqualTo(before);
    }

    @Test
    void doesNotCountWhatAShellWritesToOrWhatIsNoProgram() throws IOException {
        Path log = folder.resolve("log");
        String before = identity("sh", "-c", "echo x >> " + log + " nosuchprogram");
        Files.writeString(log, "x");

        assertThat(identity("sh", "-c", "echo x >> " + log + " nosuchprogram")).isEqualTo(before);
    }

    private void program(String name, String text) throws IOException {
        Path program = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String identity(String... argv) {
        return new ToolIdentity(Bytes.utf8(folder.toString())).of(List.of(List.of(argv)));
    }
}
