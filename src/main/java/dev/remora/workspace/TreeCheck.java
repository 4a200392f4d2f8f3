package dev.remora.workspace;

import dev.remora.digest.Sha256;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.FileType;
import dev.remora.posix.NativeBuffer;
import dev.remora.posix.OpenFile;
import dev.remora.posix.StatusReader;
import java.security.MessageDigest;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/// Makes a tree and its index agree again after strangers had it: what is not proven to be as unpacking left it is
/// removed from both, what was added is removed, directories get their modes back.
///
/// **The proof.** Whatever changes a file's content, mode, owner, name or links sets its ctime to the clock, and nobody
/// can set it to another time. So an entry whose inode and ctime are the sealed ones is the sealed one, if the clock
/// has
/// moved on between the seal and the first moment in which a stranger could do anything. It may not have: clocks tick
/// in milliseconds. `mark` is that moment by the file system's own clock; what was sealed at the mark or later (never
/// before it, unless the clock was set) is compared by content. Directories work the same way: their ctime moves when
/// an entry comes or goes, so only those that moved are listed.
///
/// **What has no ctime to show for.** On tmpfs a page that was first read through a shared mapping can then be written
/// without the kernel noticing. Where that is so ([TreeTrust]) files that were opened are compared by content, all of
/// them where openings were not told.
///
/// **Attacks considered.** A second hard link: the link count. A file put in another's place, or two of them swapped:
/// the inode. A directory swapped for a link: it is opened by name without following. Extended attributes, of which
/// access control lists are some, and flags: they move ctime, and a directory with any is removed with all below it. A
/// mount below the tree: the device.
final class TreeCheck {
    private static final Bytes SECURITY = Bytes.utf8("security.");
    private static final int ALL_FOR_OWNER = 0700;
    private static final int BUFFER = 64 << 10;

    private final TreeIndex index;
    private final long mark;
    private final Doubt doubt;
    private final StatusReader reader;
    private final NativeBuffer buffer;
    private final MessageDigest sha256;
    private final long device;
    private long lost;

    private TreeCheck(TreeIndex index, long mark, Doubt doubt, StatusReader reader, NativeBuffer buffer, long device) {
        this.index = index;
        this.mark = mark;
        this.doubt = doubt;
        this.reader = reader;
        this.buffer = buffer;
        this.device = device;
        this.sha256 = Sha256.digest();
    }

    /// Which files are compared by content whatever their ctime says.
    enum Doubt {
        NONE,
        OPENED,
        ALL;

        boolean about(TreeNode node) {
            return this == ALL || (this == OPENED && node.wasOpened());
        }
    }

    /// What became of a tree.
    enum Result {
        /// All is as it was.
        WHOLE,
        /// Some entries are gone, from disk and from the index.
        PRUNED,
        /// It must not be used again.
        SPOILED
    }

    /// @param mark no stranger could do anything before it
    static Result of(TreeIndex index, Directory root, long mark, Doubt doubt) throws ErrnoException {
        try (StatusReader reader = new StatusReader();
                NativeBuffer buffer = NativeBuffer.allocate(BUFFER)) {
            FileStatus status = root.status();
            TreeCheck check = new TreeCheck(index, mark, doubt, reader, buffer, status.device());
            if (!check.directory(root, index.root(), status)) {
                return Result.SPOILED;
            }
            return check.lost == 0 ? Result.WHOLE : Result.PRUNED;
        }
    }

    /// False when the directory itself cannot be put right.
    private boolean directory(Directory directory, TreeNode node, FileStatus status) throws ErrnoException {
        boolean moved = isMoved(node, status);
        if (moved && isMarked(directory, node, status)) {
            return false;
        }
        if ((status.mode() & ALL_FOR_OWNER) != ALL_FOR_OWNER) {
            directory.changeMode(node.mode() | ALL_FOR_OWNER);
            moved = true;
        }
        long before = lost;
        if (moved) {
            removeAdded(directory, node);
        }
        Iterator<Map.Entry<Bytes, TreeNode>> entries =
                node.children().entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Bytes, TreeNode> entry = entries.next();
            if (!child(directory, entry.getKey(), entry.getValue())) {
                lost++;
                entries.remove();
                index.removed(entry.getValue());
            }
        }
        if (moved || lost > before) {
            if (directory.status().mode() != node.mode()) {
                directory.changeMode(node.mode());
            }
            node.seal(directory.status());
        }
        return true;
    }

    private boolean isMoved(TreeNode node, FileStatus status) {
        return status.changedNanos() != node.changed() || node.changed() >= mark;
    }

    /// Whether it was given to somebody else, or has marks that files made in it would inherit.
    private static boolean isMarked(Directory directory, TreeNode node, FileStatus status) throws ErrnoException {
        return !node.isOwnedAsBefore(status) || hasForeignAttributes(directory.attributeNames());
    }

    /// Labels of the kernel's security modules are put on by the kernel.
    private static boolean hasForeignAttributes(Bytes names) {
        int from = 0;
        while (from < names.length()) {
            int to = names.indexOf((byte) 0, from);
            if (!names.slice(from, to).startsWith(SECURITY)) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    private static void removeAdded(Directory directory, TreeNode node) throws ErrnoException {
        for (DirectoryEntry entry : directory.list()) {
            if (node.child(entry.name()).isEmpty()) {
                TreeRemoval.remove(directory, entry.name());
            }
        }
    }

    /// Whether the entry is as it was; if not it is no longer there.
    private boolean child(Directory parent, Bytes name, TreeNode node) throws ErrnoException {
        Optional<FileStatus> found = reader.find(parent, name);
        if (found.isEmpty()) {
            return false;
        }
        FileStatus status = found.get();
        boolean good = status.device() == device
                && status.inode() == node.inode()
                && (node.isDirectory()
                        ? status.isDirectory() && childDirectory(parent, name, node)
                        : node.isUntouched(status) && hasContent(parent, name, node));
        if (!good) {
            TreeRemoval.remove(parent, name);
        }
        return good;
    }

    private boolean childDirectory(Directory parent, Bytes name, TreeNode node) throws ErrnoException {
        try (Directory directory = parent.openDirectoryForcibly(name)) {
            FileStatus status = directory.status();
            return status.inode() == node.inode() && directory(directory, node, status);
        }
    }

    private boolean hasContent(Directory parent, Bytes name, TreeNode node) throws ErrnoException {
        if (node.changed() < mark && !doubt.about(node)) {
            return true;
        }
        return node.type() == FileType.SYMLINK
                ? parent.readLink(name).equals(node.content())
                : hasFileContent(parent, name, node);
    }

    private boolean hasFileContent(Directory parent, Bytes name, TreeNode node) throws ErrnoException {
        try (OpenFile file = parent.openFileAtOnce(name)) {
            if (file.status().inode() != node.inode()) {
                return false;
            }
            long left = node.size();
            int read = 1;
            while (read > 0) {
                read = file.read(buffer.bytes().clear());
                sha256.update(buffer.bytes().flip());
                left -= read;
                if (left < 0) {
                    sha256.reset();
                    return false;
                }
            }
            return Bytes.of(sha256.digest()).equals(node.content());
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EACCES) {
                return false; // A file that its owner may not read proves nothing.
            }
            throw e;
        }
    }
}
