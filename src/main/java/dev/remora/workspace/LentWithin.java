package dev.remora.workspace;

import dev.remora.posix.ErrnoException;
import java.util.Optional;

/// Takes a place out of the tree that it was moved into, and gives it back to who lent it.
///
/// Who may write to that tree may have moved or replaced the place. What bears its name is taken; if nothing does, the
/// rest goes with the tree.
///
/// @param place where it was before
record LentWithin(Workspace.Lender lender, Place place, Workspace outer, WorkRoot root) implements Workspace.Lender {
    @Override
    public void giveBack(Place moved, Optional<PooledTree> tree, boolean reusable) {
        try {
            outer.dir().rename(place.name(), root.directory(), place.name());
        } catch (ErrnoException e) {
            tree.ifPresent(PooledTree::forget);
            place.close();
            return;
        }
        lender.giveBack(place, tree, reusable);
    }

    @Override
    public void unpacked(Place moved, PooledTree tree) throws ErrnoException {
        lender.unpacked(moved, tree);
    }

    @Override
    public boolean makeRoom() {
        return lender.makeRoom();
    }
}
