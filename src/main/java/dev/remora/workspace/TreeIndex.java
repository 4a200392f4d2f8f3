package dev.remora.workspace;

import dev.remora.digest.Sha256;
import dev.remora.posix.Bytes;
import dev.remora.posix.FileType;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// All entries of one tree. **Whatever lies in the tree's folder is in here**, except while a command may be at work:
/// that is what lets an unpacking tell its own entries from old ones without a look at the disk.
///
/// Mutable; of whoever holds the tree.
final class TreeIndex {
    /// A file's last block, or a directory's only one.
    private static final long BLOCK = 4096;

    private static final int HEAD = 1 + 3 * Integer.BYTES;

    private final EntryBudget budget;
    private TreeNode root = new TreeNode(FileType.DIRECTORY, 0, Bytes.EMPTY, 0);
    private long unpacking;
    private long entries;
    private long bytes;
    private long content;
    private Optional<String> digest = Optional.empty();

    TreeIndex(EntryBudget budget) {
        this.budget = budget;
    }

    TreeNode root() {
        return root;
    }

    long entries() {
        return entries;
    }

    /// On disk, roughly: whole blocks.
    long bytes() {
        return bytes;
    }

    /// Bytes in files.
    long content() {
        return content;
    }

    /// A new unpacking begins: all that is here is old from now on.
    long begin() {
        digest = Optional.empty();
        return ++unpacking;
    }

    Optional<TreeNode> find(List<Bytes> place) {
        TreeNode node = root;
        for (Bytes name : place) {
            Optional<TreeNode> child = node.child(name);
            if (child.isEmpty()) {
                return Optional.empty();
            }
            node = child.get();
        }
        return Optional.of(node);
    }

    /// False when there is no room for one more.
    boolean add(TreeNode parent, Bytes name, TreeNode node) {
        if (!budget.take()) {
            return false;
        }
        entries++;
        bytes += blocks(node);
        content += length(node);
        parent.children().put(name, node);
        return true;
    }

    /// The node's content is another now.
    void resized(long before, TreeNode node) {
        bytes += rounded(node.size()) - rounded(before);
        content += node.size() - before;
    }

    void remove(TreeNode parent, Bytes name) {
        TreeNode node = parent.children().remove(name);
        if (node != null) {
            removed(node);
        }
    }

    /// The node was taken out of its parent.
    void removed(TreeNode node) {
        digest = Optional.empty();
        forget(node);
    }

    void clear() {
        root.nodes().forEach(this::forget);
        root = new TreeNode(FileType.DIRECTORY, 0, Bytes.EMPTY, 0);
        digest = Optional.empty();
    }

    private void forget(TreeNode node) {
        node.nodes().forEach(this::forget);
        entries--;
        bytes -= blocks(node);
        content -= length(node);
        budget.giveBack(1);
    }

    private static long blocks(TreeNode node) {
        return node.isDirectory() ? BLOCK : rounded(node.size());
    }

    private static long length(TreeNode node) {
        return node.type() == FileType.REGULAR ? node.size() : 0;
    }

    private static long rounded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    /// SHA-256 over all entries, depth first, each directory's in the order of their names' bytes: type, mode, path,
    /// and a file's SHA-256 or a link's text. Trees with the same digest look the same to a command.
    String digest() {
        if (digest.isEmpty()) {
            MessageDigest sha256 = Sha256.digest();
            add(sha256, root, Bytes.EMPTY);
            digest = Optional.of(HexFormat.of().formatHex(sha256.digest()));
        }
        return digest.get();
    }

    private static void add(MessageDigest sha256, TreeNode directory, Bytes path) {
        for (Map.Entry<Bytes, TreeNode> entry : new TreeMap<>(directory.children()).entrySet()) {
            TreeNode node = entry.getValue();
            Bytes place = path.isEmpty() ? entry.getKey() : path.slash(entry.getKey());
            int mode = node.type() == FileType.SYMLINK ? 0 : node.mode();
            ByteBuffer head = ByteBuffer.allocate(HEAD)
                    .put(letter(node))
                    .putInt(mode)
                    .putInt(place.length())
                    .putInt(node.content().length());
            sha256.update(head.flip());
            sha256.update(place.toArray());
            sha256.update(node.content().toArray());
            add(sha256, node, place);
        }
    }

    private static byte letter(TreeNode node) {
        return (byte) (node.isDirectory() ? 'd' : node.type() == FileType.SYMLINK ? 'l' : 'f');
    }
}
