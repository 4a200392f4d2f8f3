package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.FileType;
import dev.remora.posix.LexicalPath;
import dev.remora.posix.StatusReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// One unpacking into a tree whose index is known, be it empty.
///
/// When the index has no room for more entries, all that is old is removed at once and the rest is unpacked as into any
/// empty folder; the tree is then not kept.
final class TreeUpdate implements TreeRecord {
    private final TreeIndex index;
    private final Directory root;
    private final BooleanSupplier room;
    private final long unpacking;
    private long filesWritten;
    private long bytesSaved;
    private boolean given;

    /// @param room as [#makeRoom]
    TreeUpdate(TreeIndex index, Directory root, BooleanSupplier room) {
        this.index = index;
        this.root = root;
        this.room = room;
        this.unpacking = index.begin();
    }

    /// Whether the index holds all that was made.
    boolean complete() {
        return !given;
    }

    long filesWritten() {
        return filesWritten;
    }

    long bytesSaved() {
        return bytesSaved;
    }

    private Optional<TreeNode> old(List<Bytes> place, Bytes name) {
        return given
                ? Optional.empty()
                : index.find(place).flatMap(parent -> parent.child(name)).filter(this::isOld);
    }

    private boolean isOld(TreeNode node) {
        return node.unpacking() != unpacking;
    }

    @Override
    public boolean keeps() {
        return !given;
    }

    @Override
    public boolean isOld(List<Bytes> place, Bytes name) {
        return old(place, name).isPresent();
    }

    @Override
    public boolean adoptDirectory(Directory parent, List<Bytes> place, Bytes name, int mode) throws ErrnoException {
        Optional<TreeNode> old = old(place, name);
        if (old.isEmpty()) {
            return false;
        }
        if (old.get().isDirectory() && old.get().wantedMode() == mode) {
            old.get().claim(unpacking);
            return true;
        }
        drop(parent, place, name);
        return false;
    }

    @Override
    public boolean adoptLink(Directory parent, List<Bytes> place, Bytes name, Bytes text) throws ErrnoException {
        Optional<TreeNode> old = old(place, name);
        if (old.isEmpty()) {
            return false;
        }
        TreeNode node = old.get();
        if (node.type() == FileType.SYMLINK && node.content().equals(text)) {
            node.claim(unpacking);
            return true;
        }
        drop(parent, place, name);
        return false;
    }

    @Override
    public Optional<Bytes> oldFile(Directory parent, List<Bytes> place, Bytes name, int mode, long size)
            throws ErrnoException {
        Optional<TreeNode> old = old(place, name);
        if (old.isEmpty()) {
            return Optional.empty();
        }
        TreeNode node = old.get();
        if (node.type() == FileType.REGULAR && node.wantedMode() == mode && node.size() == size) {
            return Optional.of(node.content());
        }
        drop(parent, place, name);
        return Optional.empty();
    }

    @Override
    public void adoptFile(List<Bytes> place, Bytes name) {
        old(place, name).ifPresent(node -> {
            node.claim(unpacking);
            bytesSaved += node.size();
        });
    }

    @Override
    public void dropFile(Directory parent, List<Bytes> place, Bytes name) throws ErrnoException {
        drop(parent, place, name);
    }

    private void drop(Directory parent, List<Bytes> place, Bytes name) throws ErrnoException {
        TreeRemoval.remove(parent, name);
        index.find(place).ifPresent(node -> index.remove(node, name));
    }

    @Override
    public void madeDirectory(List<Bytes> place, Bytes name, int mode) {
        add(place, name, new TreeNode(FileType.DIRECTORY, mode, Bytes.EMPTY, unpacking));
    }

    @Override
    public void madeLink(Directory parent, List<Bytes> place, Bytes name, Bytes text) throws ErrnoException {
        TreeNode node = new TreeNode(FileType.SYMLINK, 0, text, unpacking);
        node.seal(parent.status(name));
        add(place, name, node);
    }

    @Override
    public void madeFile(List<Bytes> place, Bytes name, int mode, Bytes sha256, FileStatus status) {
        filesWritten++;
        Optional<TreeNode> again = given ? Optional.empty() : index.find(place).flatMap(parent -> parent.child(name));
        if (again.isPresent()) {
            long before = again.get().size();
            again.get().rewritten(sha256, status);
            index.resized(before, again.get());
            return;
        }
        TreeNode node = new TreeNode(FileType.REGULAR, mode, sha256, unpacking);
        node.seal(status);
        add(place, name, node);
    }

    private void add(List<Bytes> place, Bytes name, TreeNode node) {
        if (given) {
            return;
        }
        Optional<TreeNode> parent = index.find(place);
        if (parent.isEmpty() || !index.add(parent.get(), name, node)) {
            giveUp();
        }
    }

    private void giveUp() {
        try {
            removeOld();
        } catch (ErrnoException e) {
            throw Workspace.failed("cannot empty a recycled tree", e);
        }
        given = true;
        index.clear();
    }

    @Override
    public void finish(Directory directory) throws ErrnoException {
        if (given) {
            return;
        }
        removeOld();
        try (StatusReader reader = new StatusReader()) {
            index.root().seal(root.status());
            seal(reader, index.root(), Bytes.EMPTY);
        }
    }

    private void removeOld() throws ErrnoException {
        removeOld(index.root(), new ArrayList<>());
    }

    private void removeOld(TreeNode directory, List<Bytes> place) throws ErrnoException {
        List<Bytes> gone = new ArrayList<>();
        for (Map.Entry<Bytes, TreeNode> entry : directory.children().entrySet()) {
            TreeNode node = entry.getValue();
            if (isOld(node)) {
                gone.add(entry.getKey());
            } else if (node.isDirectory()) {
                place.add(entry.getKey());
                removeOld(node, place);
                place.removeLast();
            }
        }
        if (!gone.isEmpty()) {
            Opened.at(root, place, opened -> {
                for (Bytes name : gone) {
                    TreeRemoval.remove(opened, name);
                }
            });
            gone.forEach(name -> index.remove(directory, name));
        }
    }

    private void seal(StatusReader reader, TreeNode directory, Bytes path) throws ErrnoException {
        for (Map.Entry<Bytes, TreeNode> entry : directory.children().entrySet()) {
            TreeNode node = entry.getValue();
            if (node.isDirectory()) {
                Bytes place = LexicalPath.join(path, List.of(entry.getKey()));
                node.seal(reader.find(root, place).orElseThrow(() -> Workspace.vanished(place)));
                seal(reader, node, place);
            }
        }
    }

    @Override
    public void modeSet(List<Bytes> place, FileStatus status) {
        if (!given) {
            index.find(place).ifPresent(node -> node.seal(status));
        }
    }

    @Override
    public boolean makeRoom() {
        return room.getAsBoolean();
    }
}
