package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsRoot;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folder has no bytes, no inodes, or the process no descriptors left: the message says which, and once the
/// request's folder is given back all is as before.
class WorkFolderFaultsTest {
    @TempDir
    Path base;

    private Fault failure(byte[] archive, WorkRoot root) {
        try (Workspace workspace = root.open()) {
            UnpackOptions options = UnpackOptions.DEFAULT;
            try (TarGzUnpacker unpacker = new TarGzUnpacker(new WorkspaceSink(workspace, options), options)) {
                unpacker.accept(ByteBuffer.wrap(archive));
                ArchiveReport report = unpacker.finish();
                throw new AssertionError("unpacked all the same: " + report);
            } catch (Fault e) {
                return e;
            }
        }
    }

    private void onSmallDisk(String size, byte[] archive, String message) throws Exception {
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", size, "tmpfs", base.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(mount.waitFor() == 0, "cannot mount a small tmpfs here: " + output);
        try {
            try (WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(base.toString()), fault -> {}))) {
                assertThat(failure(archive, root))
                        .hasMessageContaining(message)
                        .hasMessageContaining("no space left on device (bytes or inodes)")
                        .extracting(fault -> fault.code().id())
                        .isEqualTo("workspace.failed");
            }
            assertThat(base.resolve("_cmp_server")).isDirectoryNotContaining("glob:**/remora-*");
        } finally {
            new ProcessBuilder("umount", base.toString()).start().waitFor();
        }
    }

    @Test
    @NeedsRoot
    void saysThatTheDiskIsFull() throws Exception {
        byte[] archive =
                new FakeArchive().file("big", "1".repeat(3 << 20)).end().gzip();

        onSmallDisk("size=1m", archive, "error writing file");
    }

    @Test
    @NeedsRoot
    void saysThatThereAreNoInodes() throws Exception {
        FakeArchive archive = new FakeArchive();
        for (int i = 0; i < 100; i++) {
            archive.file("f" + i, "1");
        }

        onSmallDisk("size=8m,nr_inodes=50", archive.end().gzip(), "error creating file");
    }

    @Test
    void saysThatThereAreNoDescriptors() throws Exception {
        ChildJvm.Result result =
                new ChildJvm().after("ulimit -n 60").with("-XX:-MaxFDLimit").run(Deep.class, base.toString());

        assertThat(result.output())
                .contains("workspace.failed error creating file")
                .contains(": too many open files")
                .endsWith("then unpacked 1\n");
    }

    /// Needs a descriptor for each of 120 directories.
    static final class Deep {
        private Deep() {}

        public static void main(String[] args) throws IOException {
            Path base = Path.of(args[0]);
            byte[] clash = new FakeArchive().directory("d").file("d", "1").gzip();
            tryTo(Files.createDirectories(base.resolve("warm")), clash); // Loading a class takes a descriptor too.
            byte[] deep = new FakeArchive()
                    .pax("path", "d/".repeat(120) + "f")
                    .file("x", "1")
                    .gzip();
            tryTo(base, deep);
            Path other = Files.createDirectories(base.resolve("other"));
            byte[] flat = new FakeArchive().file("f", "1").gzip();
            System.out.println("then unpacked "
                    + Unpacked.reportOf(other, flat, UnpackOptions.DEFAULT).files());
        }

        private static void tryTo(Path folder, byte[] archive) {
            try {
                System.out.println(Unpacked.reportOf(folder, archive, UnpackOptions.DEFAULT));
            } catch (Fault e) {
                System.out.println(e.code().id() + " " + e.getMessage());
            }
        }
    }
}
