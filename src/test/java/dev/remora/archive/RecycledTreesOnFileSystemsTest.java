package dev.remora.archive;

import static dev.remora.archive.PooledTrees.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.fault.Fault;
import dev.remora.testing.NeedsRoot;
import dev.remora.workspace.Lending.Kind;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeKey;
import dev.remora.workspace.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// File systems that are full, and those on which a changed file cannot be told.
@NeedsRoot
class RecycledTreesOnFileSystemsTest {
    private static final int MIB = 1 << 20;
    private static final TreeKey KEY = key("repo", "project");

    @TempDir
    private Path folder;

    private final Deque<Path> mounted = new ArrayDeque<>();
    private final List<String> notices = new ArrayList<>();

    @AfterEach
    void unmount() throws Exception {
        for (Path place : mounted) {
            assertThat(run("umount", place.toString())).as("umount").isEmpty();
        }
    }

    private Path mount(String name, String... arguments) throws Exception {
        Path place = Files.createDirectory(folder.resolve(name));
        List<String> line = new ArrayList<>(List.of("mount"));
        line.addAll(List.of(arguments));
        line.add(place.toString());
        String refused = run(line.toArray(String[]::new));
        assumeTrue(refused.isEmpty(), "cannot mount here: " + refused);
        mounted.push(place);
        return place;
    }

    private static String run(String... line) throws Exception {
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : String.join(" ", line) + ": " + output;
    }

    private PooledTrees pool(Path base) {
        return new PooledTrees(base, RecycleOptions.DEFAULT, notices::add);
    }

    private static byte[] large(int bytes, int seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        for (int i = 0; i < bytes; i++) {
            content[i] &= 0x7f; // One byte on disk for each.
        }
        return new FakeArchive()
                .file("large", new String(content, StandardCharsets.US_ASCII))
                .end()
                .gzip();
    }

    private static byte[] many(int files) {
        FakeArchive archive = new FakeArchive();
        for (int i = 0; i < files; i++) {
            archive.file("f" + i, "content");
        }
        return archive.end().gzip();
    }

    @Test
    void idleTreesGoForANewOneWhenTheDiskIsFull() throws Exception {
        try (PooledTrees trees = pool(mount("disk", "-t", "tmpfs", "-o", "size=4m", "tmpfs"))) {
            byte[] one = large(MIB, 1);
            trees.use(key("repo", "a"), one);
            trees.use(key("repo", "b"), one);
            trees.awaitIdle(2);

            trees.use(
                    KEY,
                    large(2 * MIB + MIB / 2, 2),
                    tree -> assertThat(tree.resolve("large")).isRegularFile());

            assertThat(trees.use(key("repo", "b"), one).kind())
                    .as("the one used last stayed")
                    .isEqualTo(Kind.SAME);
            assertThat(trees.use(key("repo", "a"), one).kind()).isEqualTo(Kind.FRESH);
        }
    }

    @Test
    void whatDoesNotFitEvenThenIsAFaultAfterWhichAllGoesOn() throws Exception {
        try (PooledTrees trees = pool(mount("disk", "-t", "tmpfs", "-o", "size=4m", "tmpfs"))) {
            byte[] small = large(MIB / 4, 1);
            trees.use(KEY, small);
            trees.awaitIdle(1);

            assertThatThrownBy(() -> trees.use(KEY, large(6 * MIB, 2)))
                    .isInstanceOf(Fault.class)
                    .hasMessageContaining("no space left on device (bytes or inodes)");

            assertThat(trees.use(KEY, small).kind())
                    .as("the half-written one is not used")
                    .isEqualTo(Kind.FRESH);
            trees.awaitIdle(1);
            assertThat(trees.use(KEY, small).kind()).isEqualTo(Kind.SAME);
        }
    }

    @Test
    void idleTreesGoForAFolderWhenThereIsNoInodeLeft() throws Exception {
        Path disk = mount("disk", "-t", "tmpfs", "-o", "size=8m,nr_inodes=100", "tmpfs");
        try (PooledTrees trees = pool(disk)) {
            trees.use(key("repo", "a"), many(20));
            trees.awaitIdle(1);
            fillInodes(disk);

            try (Workspace workspace = trees.pool().lend(KEY, PooledTrees.name(many(5)))) {
                PooledTrees.fill(workspace, many(5));
                assertThat(trees.pool().idleTrees()).isZero();
                fillInodes(disk);
                assertThatThrownBy(workspace::privateHome).hasMessageContaining("no space left on device");
            }
        }
    }

    private static void fillInodes(Path disk) throws IOException {
        for (int i = 0; ; i++) {
            try {
                Files.createFile(disk.resolve("filler-" + System.nanoTime() + "-" + i));
            } catch (IOException full) {
                return;
            }
        }
    }

    @Test
    void noTreeIsUsedAgainOnAnOverlay() throws Exception {
        Path memory = mount("memory", "-t", "tmpfs", "tmpfs");
        for (String name : List.of("lower", "upper", "work")) {
            Files.createDirectory(memory.resolve(name));
        }
        String layers = "lowerdir=" + memory + "/lower,upperdir=" + memory + "/upper,workdir=" + memory + "/work";

        distrusts(mount("overlay", "-t", "overlay", "-o", layers, "overlay"), "file system is an overlay");
    }

    @Test
    void noTreeIsUsedAgainOnAnUnknownFileSystem() throws Exception {
        distrusts(mount("unknown", "-t", "ramfs", "ramfs"), "file system is of type 0x858458f6");
    }

    /// As an ext3 that was made long ago: its inodes have no room for parts of a second.
    @Test
    void noTreeIsUsedAgainWhereTheClockTicksInSeconds() throws Exception {
        Path image = folder.resolve("image");
        Files.write(image, new byte[0]);
        String made = run("sh", "-c", "truncate -s 16M " + image + " && mke2fs -q -F -t ext4 -I 128 " + image);
        assumeTrue(made.isEmpty(), "cannot make an ext4: " + made);

        distrusts(mount("old", "-o", "loop", image.toString()), "ticks too rarely");
    }

    /// Says why once, and renders as without recycling.
    private void distrusts(Path disk, String reason) {
        byte[] archive = many(3);
        try (PooledTrees trees = pool(disk)) {
            for (int call = 0; call < 3; call++) {
                assertThat(trees.use(KEY, archive, RecycledTreesOnFileSystemsTest::spoil)
                                .kind())
                        .isEqualTo(Kind.FRESH);
            }
            trees.awaitIdle(0);
        }
        assertThat(notices)
                .singleElement()
                .asString()
                .startsWith("trees are not used again: ")
                .contains(reason);
    }

    private static void spoil(Path tree) {
        try {
            assertThat(tree.resolve("f1")).hasContent("content");
            Files.writeString(tree.resolve("f1"), "spoiled");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
