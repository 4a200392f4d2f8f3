package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.workspace.Lending.Kind;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeKey;
import dev.remora.workspace.TreeOwner;
import dev.remora.workspace.TreeRemark;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;
import dev.remora.workspace.WorkspacePool;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/// A pool in a folder, used as calls use it.
final class PooledTrees implements AutoCloseable {
    static final UnpackOptions OPTIONS = UnpackOptions.DEFAULT;

    private final WorkRoot root;
    private final WorkspacePool pool;

    PooledTrees(Path base, RecycleOptions options, Consumer<String> notice) {
        root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(base.toString()), fault -> {}));
        pool = WorkspacePool.open(root, options, notice);
    }

    static TreeKey key(String repository, String project) {
        return new TreeKey(TreeOwner.of(Bytes.utf8(repository), Bytes.utf8(project)), OPTIONS.variant());
    }

    /// What was lent, and what the tree held.
    record Used(Kind kind, long written, String digest, Path path) {}

    WorkspacePool pool() {
        return pool;
    }

    /// One call without a command.
    Used use(TreeKey key, byte[] archive) {
        return use(key, archive, tree -> {});
    }

    /// @param command gets the tree
    Used use(TreeKey key, byte[] archive, Consumer<Path> command) {
        try (Workspace workspace = pool.lend(key, name(archive))) {
            Used used = fill(workspace, archive);
            command.accept(used.path());
            return used;
        }
    }

    static Used fill(Workspace workspace, byte[] archive) {
        if (!workspace.holds(name(archive))) {
            unpack(workspace, archive);
        }
        workspace.settle(name(archive), TreeRemark.NONE);
        return new Used(
                workspace.lending().kind(),
                workspace.lending().filesWritten(),
                workspace.contentDigest().orElse(""),
                Path.of(workspace.path().toString()));
    }

    static void unpack(Workspace workspace, byte[] archive) {
        try (TarGzUnpacker unpacker = new TarGzUnpacker(new WorkspaceSink(workspace, OPTIONS), OPTIONS)) {
            unpacker.accept(ByteBuffer.wrap(archive));
            unpacker.finish();
        }
    }

    static String name(byte[] archive) {
        return Integer.toHexString(Arrays.hashCode(archive));
    }

    void awaitIdle(int trees) {
        for (int i = 0; i < 1000 && pool.idleTrees() != trees; i++) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assertThat(pool.idleTrees()).isEqualTo(trees);
    }

    @Override
    public void close() {
        pool.close();
        root.close();
    }
}
