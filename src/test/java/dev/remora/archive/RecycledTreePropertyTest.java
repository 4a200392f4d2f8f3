package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsRoot;
import dev.remora.workspace.Lending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Whatever commands do, a lent tree equals a fresh unpack: see [TreeSequences]. `-Pnightly` runs more sequences.
@EnabledOnOs(OS.LINUX)
class RecycledTreePropertyTest {
    /// Where a write through a shared mapping leaves no trace; elsewhere the other way of checking is tried.
    private static final Path TMPFS = Path.of("/dev/shm");

    private static final int SEQUENCES = Integer.getInteger("remora.tree.sequences", 500);
    private static final int ON_DISK = SEQUENCES / 5;
    private static final int UNPRIVILEGED = SEQUENCES / 5;
    /// Of one child, which has its time.
    private static final int AT_ONCE = 200;

    @TempDir
    Path disk;

    @Test
    void holdsInMemory() throws IOException {
        Path memory = Files.createTempDirectory(Files.isWritable(TMPFS) ? TMPFS : disk, "remora-trees");
        try {
            run(memory, 0, SEQUENCES - ON_DISK - UNPRIVILEGED);
        } finally {
            try (var left = Files.walk(memory)) {
                left.sorted(java.util.Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            }
        }
    }

    @Test
    void holdsOnDisk() throws IOException {
        run(disk, 1_000_000, ON_DISK);
    }

    private static void run(Path base, long seed, int count) throws IOException {
        try (TreeSequences sequences = new TreeSequences(base)) {
            for (int i = 0; i < count; i++) {
                sequences.run(seed + i);
            }
            assertThat(sequences.kinds())
                    .as("the sequences exercise all ways to lend a tree")
                    .hasEntrySatisfying(
                            Lending.Kind.SAME, number -> assertThat(number).isGreaterThan(count / 3))
                    .hasEntrySatisfying(
                            Lending.Kind.CHANGED, number -> assertThat(number).isGreaterThan(count));
        }
    }

    /// Root may do everything; who may not meets folders that he cannot enter and files that he cannot read.
    @Test
    @NeedsRoot
    void holdsForAUserWithoutRights() throws Exception {
        Files.setPosixFilePermissions(disk, PosixFilePermissions.fromString("rwxrwxrwx"));

        for (int done = 0; done < UNPRIVILEGED; done += AT_ONCE) {
            Path base = Files.createDirectory(disk.resolve("from" + done));
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));
            int count = Math.min(AT_ONCE, UNPRIVILEGED - done);

            ChildJvm.Result result = new ChildJvm()
                    .unprivileged()
                    .run(TreeSequences.class, base.toString(), "2000000" + done, Integer.toString(count));

            assertThat(result.output()).startsWith(count + " held {SAME=");
        }
    }
}
