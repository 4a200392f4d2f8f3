package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// One request's own place, under a name that nobody can guess: `tree` is what its commands work in; `home` and `tmp`
/// lie beside it once they are asked for. Closing it gives all of it back to who lent it, a [WorkRoot], which removes
/// it, or a [WorkspacePool], which lends the tree again.
///
/// A tree from a pool may hold something already. Either it [#holds] the very archive that is announced, or the
/// archive is unpacked over what is there by telling a [#record] of it. Once the archive's checksum has turned out
/// right, and before any command starts, it is to be [#settle]d; one that is not is not lent again.
///
/// For one thread at a time.
public final class Workspace implements AutoCloseable {
    private static final Bytes HOME = Bytes.utf8("home");
    private static final Bytes TMP = Bytes.utf8("tmp");

    private final Lender lender;
    private final Place place;
    private final Optional<PooledTree> tree;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private Optional<TreeUpdate> update = Optional.empty();
    private Lending.Kind kind = Lending.Kind.FRESH;
    private boolean spoiled;
    private boolean settled;

    /// Whose a place is.
    interface Lender {
        /// Takes a place back.
        ///
        /// @param reusable false where the place is only to be removed
        void giveBack(Place place, Optional<PooledTree> tree, boolean reusable);

        /// Unpacking is over, and no stranger did anything in the tree before this.
        void unpacked(Place place, PooledTree tree) throws ErrnoException;

        boolean makeRoom();
    }

    Workspace(Lender lender, Place place, Optional<PooledTree> tree) {
        this.lender = lender;
        this.place = place;
        this.tree = tree;
    }

    static Fault failed(String what, ErrnoException e) {
        return new Fault(FaultCode.WORKSPACE, what + ": " + e.getMessage(), e);
    }

    static Fault vanished(Bytes entry) {
        return new Fault(FaultCode.WORKSPACE, "the folder " + entry + " vanished while it was being unpacked");
    }

    /// Of the tree; absolute and real: no part of it is a link.
    public Bytes path() {
        return place.treePath();
    }

    /// The tree, open as long as the workspace is.
    public Directory dir() {
        return place.tree();
    }

    /// The name that this place has and no other, as long as it is lent.
    public Bytes name() {
        return place.name();
    }

    /// A folder that only this request uses as its `HOME`: mode 0700, empty at first, gone when this is closed.
    ///
    /// @throws Fault WORKSPACE where it cannot be made
    public Bytes privateHome() {
        return privateFolder(HOME);
    }

    /// As [#privateHome], for `TMPDIR`.
    public Bytes privateTmp() {
        return privateFolder(TMP);
    }

    private Bytes privateFolder(Bytes folder) {
        Bytes path = place.path().slash(folder);
        while (true) {
            try {
                place.makeBeside(folder);
                return path;
            } catch (ErrnoException e) {
                if (!e.isFull() || !lender.makeRoom()) {
                    throw new Fault(FaultCode.WORKSPACE, "cannot make " + path + ": " + e.reason(), e);
                }
            }
        }
    }

    /// The same below the tree of another place that is lent: for whoever may write there and nowhere else. It must be
    /// closed before that one; then it leaves that tree at once. This object is not to be used any more.
    ///
    /// @param root of both
    /// @throws Fault WORKSPACE where it cannot be moved; then this is as it was
    public Workspace within(Workspace outer, WorkRoot root) {
        try {
            outer.dir().changeMode(Place.TREE_MODE); // whoever may write there may also have closed it
            root.directory().rename(place.name(), outer.dir(), place.name());
        } catch (ErrnoException e) {
            throw failed("cannot move a folder into " + outer.path(), e);
        }
        tree.ifPresent(PooledTree::share);
        Place moved = place.named(place.name(), outer.path().slash(place.name()));
        return new Workspace(new LentWithin(lender, place, outer, root), moved, tree);
    }

    /// Whether the tree is what unpacking the archive with this SHA-256 would make; nothing is to be unpacked then.
    public boolean holds(String sha256) {
        boolean same = tree.flatMap(PooledTree::checksum).filter(sha256::equals).isPresent();
        if (same) {
            kind = Lending.Kind.SAME;
        }
        return same;
    }

    /// For unpacking another archive over what is there. Until it is settled the tree holds no archive.
    public TreeRecord record() {
        if (tree.isEmpty()) {
            return TreeRecord.NONE;
        }
        PooledTree pooled = tree.get();
        kind = pooled.index().entries() > 0 ? Lending.Kind.CHANGED : Lending.Kind.FRESH;
        pooled.holds(Optional.empty(), TreeRemark.NONE);
        TreeUpdate begun = new TreeUpdate(pooled.index(), place.tree(), lender::makeRoom);
        update = Optional.of(begun);
        return begun;
    }

    /// As [#record], where what an entry becomes depends on what else is there: the tree is emptied first.
    public TreeRecord recordAfresh() {
        if (tree.isPresent() && tree.get().index().entries() > 0) {
            tree.get().index().clear();
            emptyTree();
        }
        return record();
    }

    /// For unpacking in ways that cannot be recorded: the tree is emptied first, and not lent again.
    public void unrecorded() {
        boolean used = tree.isPresent() && tree.get().index().entries() > 0;
        discard();
        if (used) {
            emptyTree();
        }
    }

    private void emptyTree() {
        try {
            place.emptyTree();
        } catch (ErrnoException e) {
            throw failed("cannot empty a recycled tree", e);
        }
    }

    /// What was remarked about the archive that this holds.
    public TreeRemark remark() {
        return tree.map(PooledTree::remark).orElse(TreeRemark.NONE);
    }

    /// The tree holds the archive with this SHA-256, which has been verified. Commands may start after this.
    public void settle(String sha256, TreeRemark remark) {
        if (tree.isEmpty()) {
            return;
        }
        try {
            settled = !spoiled && update.map(TreeUpdate::complete).orElse(true);
            tree.get().holds(settled ? Optional.of(sha256) : Optional.empty(), remark);
            lender.unpacked(place, tree.get());
        } catch (ErrnoException e) {
            throw failed("cannot read the clock of the work folder", e);
        }
    }

    /// What a command sees: SHA-256 over every entry's path, type, mode and content (docs/spec/archive.md). Empty where
    /// that is not known. To be asked for after [#settle] and before a command starts.
    public Optional<String> contentDigest() {
        return settled ? tree.map(pooled -> pooled.index().digest()) : Optional.empty();
    }

    public Lending lending() {
        long there = kind == Lending.Kind.SAME
                ? tree.map(pooled -> pooled.index().content()).orElse(0L)
                : 0;
        return update.map(done -> new Lending(kind, done.filesWritten(), done.bytesSaved()))
                .orElseGet(() -> new Lending(kind, 0, there));
    }

    /// The tree is not to be lent again: something that was started in it may be alive.
    public void discard() {
        spoiled = true;
    }

    /// Moves the tree away instead of giving it back: to `newName` in `other`, on the same file system.
    void moveTo(Directory other, Bytes newName) throws ErrnoException {
        if (open.compareAndSet(true, false)) {
            try {
                place.directory().rename(Place.TREE, other, newName);
            } finally {
                lender.giveBack(place, tree, false);
            }
        }
    }

    /// Nothing that was started in it may be alive any more.
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            lender.giveBack(place, tree, settled && !spoiled);
        }
    }
}
