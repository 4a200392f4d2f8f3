package dev.remora.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeRemovalTest {
    private static final Bytes TREE = Bytes.utf8("tree");

    @TempDir
    Path above;

    private void remove() throws ErrnoException {
        try (Directory parent = Directory.open(Bytes.utf8(above.toString()))) {
            TreeRemoval.remove(parent, TREE);
        }
    }

    @Test
    void removesATreeAndNothingBesideIt() throws IOException {
        Files.createDirectories(above.resolve("tree/a/b"));
        Files.writeString(above.resolve("tree/a/b/f"), "1");
        Files.writeString(above.resolve("beside"), "1");

        remove();

        assertThat(above).isDirectoryContaining("glob:**/beside").isDirectoryNotContaining("glob:**/tree");
    }

    @Test
    void followsNoLink() throws IOException {
        Files.createDirectories(above.resolve("tree"));
        Files.createDirectories(above.resolve("other"));
        Files.writeString(above.resolve("other/f"), "1");
        Files.createSymbolicLink(above.resolve("tree/l"), Path.of("../other"));
        Files.createSymbolicLink(above.resolve("tree/absolute"), above.resolve("other"));

        remove();

        assertThat(above.resolve("tree")).doesNotExist();
        assertThat(above.resolve("other/f")).exists();
    }

    @Test
    void removesALinkInTheTreesPlace() throws IOException {
        Files.createDirectories(above.resolve("other/f"));
        Files.createSymbolicLink(above.resolve("tree"), Path.of("other"));

        remove();

        assertThat(Files.isSymbolicLink(above.resolve("tree"))).isFalse();
        assertThat(above.resolve("other/f")).exists();
    }

    @Test
    void isContentWhenThereIsNothing() throws IOException {
        remove();

        assertThat(above.resolve("tree")).doesNotExist();
    }

    @Test
    void removesATreeDeeperThanPathsMayBeLong() throws IOException {
        makeDeep(3000);

        remove();

        assertThat(above.resolve("tree")).doesNotExist();
    }

    private void makeDeep(int depth) throws ErrnoException {
        Bytes name = Bytes.utf8("deep");
        Directory at = Directory.open(Bytes.utf8(above.toString()));
        at.makeDirectory(TREE, 0700);
        Directory next = at.openDirectory(TREE);
        for (int i = 0; i < depth; i++) {
            at.close();
            at = next;
            at.makeDirectory(name, 0700);
            at.createFile(Bytes.utf8("file"), 0600).close();
            next = at.openDirectory(name);
        }
        at.close();
        next.close();
    }

    @Test
    void removesNamesThatAreNoText() throws IOException {
        Files.createDirectories(above.resolve("tree"));
        try (Directory tree = Directory.open(Bytes.utf8(above.resolve("tree").toString()))) {
            tree.createFile(Bytes.of(new byte[] {(byte) 0xff, '\n'}), 0600).close();
            tree.makeDirectory(Bytes.of(new byte[] {(byte) 0xfe}), 0700);
        }

        remove();

        assertThat(above.resolve("tree")).doesNotExist();
    }

    @Test
    @NeedsRoot
    void removesDirectoriesWithoutRightsAsAnOrdinaryUser() throws Exception {
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxrwxrwx"));

        ChildJvm.Result result = new ChildJvm().unprivileged().run(Unprivileged.class, above.toString());

        assertThat(result.output()).isEqualTo("removed\n");
        assertThat(above.resolve("tree")).doesNotExist();
    }

    /// Makes directories that lock out their owner, and removes them.
    static final class Unprivileged {
        private Unprivileged() {}

        public static void main(String[] args) throws IOException {
            Path above = Path.of(args[0]);
            for (String mode : new String[] {"---------", "r-x------", "-wx------", "r--------"}) {
                Path directory = Files.createDirectories(above.resolve("tree/" + mode));
                Files.writeString(directory.resolve("f"), "1");
                Files.createDirectories(directory.resolve("d/e"));
                Files.setPosixFilePermissions(directory.resolve("d"), PosixFilePermissions.fromString("r-x------"));
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            }
            // With nothing in it whose removal would give the rights before.
            Path listed = Files.createDirectories(above.resolve("tree/listed"));
            Files.createDirectories(listed.resolve("d/e"));
            Files.setPosixFilePermissions(listed, PosixFilePermissions.fromString("r--------"));
            Files.setPosixFilePermissions(above.resolve("tree"), PosixFilePermissions.fromString("r-x------"));
            try (Directory parent = Directory.open(Bytes.utf8(above.toString()))) {
                TreeRemoval.remove(parent, TREE);
            }
            System.out.println("removed");
        }
    }

    @Test
    @NeedsRoot
    void saysWhatItCannotRemoveAndRemovesTheRest() throws Exception {
        // A directory of another user's, in which one may not write.
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createDirectories(above.resolve("tree/foreign"));
        Files.writeString(above.resolve("tree/foreign/f"), "1");
        Files.setPosixFilePermissions(above.resolve("tree"), PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(above.resolve("tree/own"), "1");

        ChildJvm.Result result = new ChildJvm().unprivileged().run(Removing.class, above.toString());

        assertThat(result.output()).isEqualTo("chmod: operation not permitted\n");
        assertThat(above.resolve("tree/own")).doesNotExist();
        assertThat(above.resolve("tree/foreign/f")).exists();
    }

    static final class Removing {
        private Removing() {}

        public static void main(String[] args) {
            try (Directory parent = Directory.open(Bytes.utf8(args[0]))) {
                TreeRemoval.remove(parent, TREE);
            } catch (ErrnoException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
