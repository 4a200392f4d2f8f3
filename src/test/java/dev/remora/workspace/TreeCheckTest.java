package dev.remora.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.digest.Sha256;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Changes within one tick of the file system's clock. Kernels of today (Linux 6.13) give a file that was looked at a
/// finer time, so that no sequence of commands meets them there; others do not. So the index is told that what a
/// stranger changed has the time that was sealed.
@EnabledOnOs(OS.LINUX)
class TreeCheckTest {
    private static final Bytes NAME = Bytes.utf8("a");

    @TempDir
    private Path tree;

    private final TreeIndex index = new TreeIndex(new EntryBudget(10, () -> false));
    private final TreeNode file = new TreeNode(
            FileType.REGULAR, 0644, Bytes.of(Sha256.digest().digest("one".getBytes(StandardCharsets.UTF_8))), 1);
    private Directory root = Directory.open(Bytes.utf8("/"));

    TreeCheckTest() throws ErrnoException {}

    @BeforeEach
    void unpack() throws IOException {
        root.close();
        root = Directory.open(Bytes.utf8(tree.toString()));
        Files.writeString(tree.resolve("a"), "one");
        file.seal(root.status(NAME));
        assertThat(index.add(index.root(), NAME, file)).isTrue();
        index.root().seal(root.status());
    }

    @AfterEach
    void close() {
        root.close();
    }

    private TreeCheck.Result checked(long mark) throws ErrnoException {
        return TreeCheck.of(index, root, mark, TreeCheck.Doubt.NONE);
    }

    @Test
    void whatWasNotTouchedIsWholeHoweverTheTimesLie() throws IOException {
        assertThat(checked(file.changed() + 1)).isEqualTo(TreeCheck.Result.WHOLE);
        assertThat(checked(file.changed())).isEqualTo(TreeCheck.Result.WHOLE);
        assertThat(tree.resolve("a")).hasContent("one");
    }

    @Test
    void aFileThatMayHaveBeenChangedInTheSameTickIsComparedByContent() throws IOException {
        Files.writeString(tree.resolve("a"), "two");
        file.seal(root.status(NAME));

        assertThat(checked(file.changed() + 1)).as("the clock had moved on").isEqualTo(TreeCheck.Result.WHOLE);
        assertThat(checked(file.changed())).isEqualTo(TreeCheck.Result.PRUNED);

        assertThat(tree.resolve("a")).doesNotExist();
        assertThat(index.entries()).isZero();
    }

    @Test
    void aFolderThatMayHaveGotAnEntryInTheSameTickIsListed() throws IOException {
        Files.writeString(tree.resolve("added"), "x");
        index.root().seal(root.status());

        assertThat(checked(index.root().changed() + 1)).isEqualTo(TreeCheck.Result.WHOLE);
        assertThat(tree.resolve("added")).as("the clock had moved on").exists();
        index.root().seal(root.status());
        assertThat(checked(index.root().changed())).isEqualTo(TreeCheck.Result.WHOLE);

        assertThat(tree.resolve("added")).doesNotExist();
        assertThat(tree.resolve("a")).hasContent("one");
    }
}
