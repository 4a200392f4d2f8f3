package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.FileStatus;
import dev.remora.posix.FileType;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What we know of one entry of a tree: what unpacking made it, and by which signs the kernel shows that it is still
/// that. There are many of these, hence numbers instead of records in it.
///
/// Mutable; of whoever holds the tree.
final class TreeNode {
    private final FileType type;
    private final int wantedMode;
    private final Map<Bytes, TreeNode> children;
    private Bytes content;
    private long unpacking;
    private long inode;
    private long size;
    private long changed;
    private long attributes;
    private int mode;
    private int owner;
    private int group;
    private boolean opened;
    private boolean watched;

    /// @param wantedMode as the archive or the rule has it, before the umask
    /// @param content a file's SHA-256, a link's text
    TreeNode(FileType type, int wantedMode, Bytes content, long unpacking) {
        this.type = type;
        this.wantedMode = wantedMode;
        this.content = content;
        this.unpacking = unpacking;
        this.children = type == FileType.DIRECTORY ? new HashMap<>() : Map.of();
    }

    FileType type() {
        return type;
    }

    boolean isDirectory() {
        return type == FileType.DIRECTORY;
    }

    int wantedMode() {
        return wantedMode;
    }

    Bytes content() {
        return content;
    }

    /// On disk.
    int mode() {
        return mode;
    }

    long size() {
        return size;
    }

    long changed() {
        return changed;
    }

    long inode() {
        return inode;
    }

    /// The number of the unpacking that made or kept it.
    long unpacking() {
        return unpacking;
    }

    void claim(long by) {
        unpacking = by;
    }

    Optional<TreeNode> child(Bytes name) {
        return Optional.ofNullable(children.get(name));
    }

    Map<Bytes, TreeNode> children() {
        return children;
    }

    Collection<TreeNode> nodes() {
        return children.values();
    }

    void rewritten(Bytes newContent, FileStatus status) {
        content = newContent;
        seal(status);
    }

    /// Of a file: somebody opened it after it was unpacked.
    void opened() {
        opened = true;
    }

    boolean wasOpened() {
        return opened;
    }

    /// Of a folder: see [Openings].
    void watched() {
        watched = true;
    }

    boolean isWatched() {
        return watched;
    }

    /// Takes what the kernel says now for what it has to say until the next look.
    void seal(FileStatus status) {
        inode = status.inode();
        size = status.size();
        changed = status.changedNanos();
        attributes = status.attributes();
        mode = status.mode();
        owner = status.owner();
        group = status.group();
    }

    /// Whether a file or link is the one that was sealed and nothing was done to it since, as far as the kernel's clock
    /// can tell.
    boolean isUntouched(FileStatus status) {
        return status.type() == type
                && status.inode() == inode
                && status.changedNanos() == changed
                && status.size() == size
                && status.links() == 1
                && status.mode() == mode
                && status.owner() == owner
                && status.group() == group;
    }

    /// Of a directory: whether it belongs to whom it did and has the flags it had. Its mode can be put right.
    boolean isOwnedAsBefore(FileStatus status) {
        return status.owner() == owner && status.group() == group && status.attributes() == attributes;
    }
}
