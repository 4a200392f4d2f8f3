package dev.remora.render;

import dev.remora.archive.EntryFilter;
import dev.remora.archive.EntrySink;
import dev.remora.archive.UnpackOptions;
import dev.remora.archive.WorkspaceSink;
import dev.remora.posix.Bytes;
import dev.remora.process.CommandRunner;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeKey;
import dev.remora.workspace.TreeOwner;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;
import dev.remora.workspace.WorkspacePool;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The work folders of one command's renders: below one root, and used again like the sidecar's, so that a thousand
/// renders of one repository do not write it a thousand times (`docs/concepts/recycled-trees.md`).
///
/// Threads may share it; `opening` guards the pool, which is made with the first folder.
public final class WorkFolders implements AutoCloseable {
    private final Bytes base;
    private final RecycleOptions recycle;
    private final CommandRunner runner;
    private final Consumer<String> notice;
    private final ReentrantLock opening = new ReentrantLock();
    private Optional<Opened> opened = Optional.empty();

    private record Opened(WorkRoot root, WorkspacePool pool) {}

    /// @param base where the root is made
    /// @param runner whose commands work there
    /// @param notice told once where folders cannot be used again
    public WorkFolders(Bytes base, RecycleOptions recycle, CommandRunner runner, Consumer<String> notice) {
        this.base = base;
        this.recycle = recycle;
        this.runner = runner;
        this.notice = notice;
    }

    private WorkspacePool pool() {
        opening.lock();
        try {
            if (opened.isEmpty()) {
                WorkRoot root =
                        WorkRoot.open(WorkRootOptions.at(base, fault -> {}).forThisUser());
                opened = Optional.of(new Opened(root, WorkspacePool.open(root, recycle, notice)));
            }
            return opened.get().pool();
        } finally {
            opening.unlock();
        }
    }

    /// A folder for this request.
    ///
    /// @param options how it will be filled
    WorkFolder lend(RenderRequest request, UnpackOptions options) {
        Optional<String> digest = request.sent().map(sent -> sent.digest(request, options.inputs()));
        // What is let through is part of the digest, so that one application's folder serves the next one's.
        TreeKey key = new TreeKey(
                request.sent()
                        .map(sent -> TreeOwner.of(Bytes.utf8(sent.repository()), Bytes.utf8(request.project())))
                        .orElse(TreeOwner.UNKNOWN),
                options.seeing(EntryFilter.ALL).variant());
        String contents = digest.orElseGet(() -> UUID.randomUUID().toString());
        long unended = runner.unended();
        return new Lent(pool().lend(key, contents), digest, () -> runner.unended() != unended);
    }

    /// One of the folders.
    ///
    /// @param contents the digest of what it is filled with; empty: not known, and it is used once
    private record Lent(Workspace workspace, Optional<String> contents, BooleanSupplier held) implements WorkFolder {
        @Override
        public Bytes path() {
            return workspace.path();
        }

        @Override
        public EntrySink sink(UnpackOptions options) {
            return new WorkspaceSink(workspace, options);
        }

        @Override
        public boolean isFilled() {
            boolean same = contents.filter(workspace::holds).isPresent();
            if (same) {
                filled();
            }
            return same;
        }

        @Override
        public void filled() {
            contents.ifPresent(digest -> workspace.settle(digest, workspace.remark()));
        }

        @Override
        public Bytes privateHome() {
            return workspace.privateHome();
        }

        @Override
        public Bytes privateTmp() {
            return workspace.privateTmp();
        }

        @Override
        public void close() {
            if (held.getAsBoolean()) {
                workspace.discard();
            }
            workspace.close();
        }
    }

    /// Removes everything. Nothing may be lent any more.
    @Override
    public void close() {
        opening.lock();
        try {
            opened.ifPresent(each -> {
                each.pool().close();
                each.root().close();
            });
            opened = Optional.empty();
        } finally {
            opening.unlock();
        }
    }
}
