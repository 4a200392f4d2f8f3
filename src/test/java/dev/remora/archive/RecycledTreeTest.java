package dev.remora.archive;

import static dev.remora.archive.PooledTrees.fill;
import static dev.remora.archive.PooledTrees.key;
import static dev.remora.archive.PooledTrees.name;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.archive.PooledTrees.Used;
import dev.remora.posix.Bytes;
import dev.remora.testing.ChildJvm;
import dev.remora.workspace.Lending.Kind;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeKey;
import dev.remora.workspace.TreeOwner;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;
import dev.remora.workspace.WorkspacePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class RecycledTreeTest {
    private static final UnpackOptions OPTIONS = PooledTrees.OPTIONS;
    private static final byte[] ONE = new FakeArchive()
            .file("a", "one")
            .file("d/b", "two")
            .link("l", "a")
            .end()
            .gzip();
    private static final byte[] TWO =
            new FakeArchive().file("a", "ONE").file("d/b", "two").end().gzip();
    private static final TreeKey KEY = key("repo", "project");

    @TempDir
    Path base;

    private PooledTrees trees;

    @BeforeEach
    void open() {
        trees = new PooledTrees(base, RecycleOptions.DEFAULT, notice -> {});
    }

    private void reopen(RecycleOptions options) {
        trees.close();
        trees = new PooledTrees(base, options, notice -> {});
    }

    @AfterEach
    void close() {
        trees.close();
    }

    private Used use(TreeKey key, byte[] archive) {
        return trees.use(key, archive);
    }

    @Test
    void lendsTheSameTreeForTheSameArchiveUnderANewName() {
        Used first = use(KEY, ONE);
        Used second = use(KEY, ONE);

        assertThat(first.kind()).isEqualTo(Kind.FRESH);
        assertThat(second.kind()).isEqualTo(Kind.SAME);
        assertThat(second.written()).isZero();
        assertThat(second.path()).isNotEqualTo(first.path());
        assertThat(first.path()).doesNotExist();
    }

    @Test
    void writesOnlyWhatDiffers() {
        Used first = use(KEY, ONE);
        Used second = use(KEY, TWO);

        assertThat(second.kind()).isEqualTo(Kind.CHANGED);
        assertThat(second.written()).isEqualTo(1);
        assertThat(second.digest()).isNotEqualTo(first.digest());
    }

    @Test
    void digestsATreeTheSameWayHoweverItCameAbout() {
        String fresh = use(key("other", "project"), TWO).digest();
        use(KEY, ONE);
        String changed = use(KEY, TWO).digest();
        String same = use(KEY, TWO).digest();

        assertThat(fresh).matches("[0-9a-f]{64}").isEqualTo(changed).isEqualTo(same);
    }

    @Test
    void neverCrossesRepositoriesProjectsOrWaysToUnpack() {
        use(KEY, ONE);

        assertThat(use(key("repo", "other"), ONE).kind()).isEqualTo(Kind.FRESH);
        assertThat(use(key("other", "project"), ONE).kind()).isEqualTo(Kind.FRESH);
        assertThat(use(new TreeKey(KEY.owner(), OPTIONS.preservingFileMode(true).variant()), ONE)
                        .kind())
                .isEqualTo(Kind.FRESH);
    }

    @Test
    void knowsWithoutAnOwnerOnlyTheVeryArchive() {
        TreeOwner half = new TreeOwner(Optional.of(Bytes.utf8("repo")), Optional.empty());
        TreeKey unknown = new TreeKey(half, OPTIONS.variant());
        use(KEY, ONE);

        assertThat(half).isEqualTo(TreeOwner.UNKNOWN);
        assertThat(use(unknown, ONE).kind()).isEqualTo(Kind.FRESH);
        assertThat(use(unknown, ONE).kind()).isEqualTo(Kind.SAME);
        assertThat(use(unknown, TWO).kind()).isEqualTo(Kind.FRESH);
    }

    @Test
    void dropsATreeWhoseArchiveWasNotVerified() {
        try (Workspace workspace = trees.pool().lend(KEY, name(ONE))) {
            PooledTrees.unpack(workspace, ONE);
        }

        assertThat(use(KEY, ONE).kind()).isEqualTo(Kind.FRESH);
    }

    @Test
    void keepsNoMoreThanItMay() {
        reopen(new RecycleOptions(2, 1 << 20, 1000, Duration.ofMinutes(1)));
        for (String project : List.of("a", "b", "c")) {
            use(key("repo", project), ONE);
        }

        assertThat(use(key("repo", "c"), ONE).kind()).isEqualTo(Kind.SAME);
        assertThat(use(key("repo", "a"), ONE).kind()).as("the oldest went").isEqualTo(Kind.FRESH);
        trees.awaitIdle(2);
        assertThat(trees.pool().idleInodes()).isEqualTo(8);
    }

    @Test
    void keepsNoTreeAboveTheBytes() {
        reopen(new RecycleOptions(8, 10_000, 1000, Duration.ofMinutes(1)));
        use(KEY, ONE);

        assertThat(use(KEY, ONE).kind()).as("three blocks of 4 KiB are more").isEqualTo(Kind.FRESH);
    }

    @Test
    void usesATreeOnceThatHasTooManyInodes() {
        reopen(new RecycleOptions(8, 1 << 20, 3, Duration.ofMinutes(1)));

        Used first = use(KEY, ONE);
        assertThat(first.digest()).isEmpty();
        assertThat(use(KEY, ONE).kind()).isEqualTo(Kind.FRESH);
    }

    @Test
    void givesEntriesOfIdleTreesUpForANewOne() {
        reopen(new RecycleOptions(8, 1 << 20, 6, Duration.ofMinutes(1)));
        use(key("repo", "idle"), ONE);
        trees.awaitIdle(1);

        use(KEY, ONE);

        assertThat(use(KEY, ONE).kind()).isEqualTo(Kind.SAME);
        assertThat(use(key("repo", "idle"), ONE).kind()).isEqualTo(Kind.FRESH);
    }

    @Test
    void removesAnUnusedTreeInTime() {
        reopen(new RecycleOptions(8, 1 << 20, 1000, Duration.ofMillis(50)));
        use(KEY, ONE);
        trees.awaitIdle(1);

        trees.awaitIdle(0);
    }

    @Test
    void keepsNothingWhenItIsOff() {
        reopen(RecycleOptions.OFF);
        use(KEY, ONE);

        assertThat(use(KEY, ONE).kind()).isEqualTo(Kind.FRESH);
        assertThat(trees.pool().idleTrees()).isZero();
    }

    @Test
    void lendsFiftyAtOnceEachTheirOwn() throws Exception {
        Set<Path> busy = ConcurrentHashMap.newKeySet();
        CountDownLatch start = new CountDownLatch(1);
        try (var callers = Executors.newFixedThreadPool(50)) {
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] archive = i % 3 == 0 ? TWO : ONE;
                String wanted = i % 3 == 0 ? "ONE" : "one";
                calls.add(callers.submit(() -> {
                    start.await();
                    try (Workspace workspace = trees.pool().lend(KEY, name(archive))) {
                        Path tree = fill(workspace, archive).path();
                        boolean alone = busy.add(tree);
                        boolean right = Files.readString(tree.resolve("a")).equals(wanted)
                                && Files.exists(tree.resolve("l")) == wanted.equals("one");
                        Files.writeString(tree.resolve("a"), "spoiled");
                        busy.remove(tree);
                        return alone && right;
                    }
                }));
            }
            start.countDown();
            for (Future<Boolean> call : calls) {
                assertThat(call.get()).isTrue();
            }
        }
        assertThat(trees.pool().idleTrees()).isLessThanOrEqualTo(8);
    }

    @Test
    void isSweptAfterAKillInTheMiddleOfAnUpdate() throws Exception {
        Path other = Files.createDirectory(base.resolve("killed"));
        ChildJvm.Result killed = new ChildJvm().run(KilledMeanwhile.class, other.toString());
        Path tree = Path.of(killed.output().strip());
        assertThat(tree.resolve("d/b")).hasContent("two");

        try (WorkRoot next = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(other.toString()), fault -> {}))) {
            assertThat(next.swept()).isEqualTo(1);
        }

        assertThat(tree).doesNotExist();
    }

    /// Dies when half of the second archive has been unpacked over the first.
    static final class KilledMeanwhile {
        private KilledMeanwhile() {}

        public static void main(String[] args) throws IOException {
            WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(args[0]), fault -> {}));
            WorkspacePool pool = WorkspacePool.open(root, RecycleOptions.DEFAULT, notice -> {});
            try (Workspace workspace = pool.lend(KEY, name(ONE))) {
                fill(workspace, ONE);
            }
            Workspace again = pool.lend(KEY, name(TWO));
            WorkspaceSink sink = new WorkspaceSink(again, OPTIONS);
            sink.file(EntryPath.of(Bytes.utf8("a")).orElseThrow(), 0644, 3);
            sink.content(ByteBuffer.wrap(new byte[] {'O', 'N', 'E'}));
            sink.fileEnd();
            System.out.println(again.path());
            System.out.flush();
            Runtime.getRuntime().halt(137);
        }
    }
}
