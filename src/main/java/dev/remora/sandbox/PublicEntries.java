package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import java.util.ArrayList;
import java.util.List;

/// The entries of a folder such as `/etc` that every user may read, as few paths as possible: a folder all of whose
/// content is public is one path; of another each public entry is named. Landlock cannot forbid an entry of a folder
/// that it allows, and a server that runs as root could read all of them.
///
/// A link that leads out of the folder makes its end public too, if every user may read that: certificates,
/// `resolv.conf`, the local time.
final class PublicEntries {
    private static final int ENTERED_BY_OTHERS = 0005;
    /// Beyond these an entry counts as not public.
    private static final int MOST_ENTRIES = 50_000;

    private static final int DEEPEST = 32;

    private final FoundFiles found;
    private final List<Bytes> linkEnds = new ArrayList<>();
    private int seen;

    private PublicEntries(FoundFiles found) {
        this.found = found;
    }

    /// Adds what is public in `folder` to `found`.
    static void addTo(FoundFiles found, Bytes folder) {
        PublicEntries entries = new PublicEntries(found);
        List<Bytes> parts = new ArrayList<>();
        if (entries.isWhole(folder, parts, 0)) {
            found.add(folder);
        } else {
            parts.forEach(found::add);
        }
        entries.linkEnds.forEach(found::addIfPublic);
    }

    /// Whether all in it is public; else `parts` gets what is.
    private boolean isWhole(Bytes folder, List<Bytes> parts, int depth) {
        List<Bytes> own = new ArrayList<>();
        boolean whole = true;
        try (Directory directory = Directory.open(folder)) {
            for (DirectoryEntry entry : directory.list()) {
                whole &= isPublic(directory, folder.slash(entry.name()), entry.name(), own, depth);
            }
        } catch (ErrnoException e) {
            whole = false;
        }
        if (!whole) {
            parts.addAll(own);
        }
        return whole;
    }

    private boolean isPublic(Directory in, Bytes path, Bytes name, List<Bytes> parts, int depth) throws ErrnoException {
        if (++seen > MOST_ENTRIES || depth > DEEPEST) {
            return false;
        }
        FileStatus status = in.find(name).orElse(null);
        if (status == null) {
            return true; // Gone meanwhile.
        }
        if (status.isSymlink()) {
            FoundFiles.real(path).filter(end -> !found.covers(end)).ifPresent(linkEnds::add);
            return true;
        }
        boolean open = status.isDirectory()
                ? (status.mode() & ENTERED_BY_OTHERS) == ENTERED_BY_OTHERS && isWhole(path, parts, depth + 1)
                : FoundFiles.isPublic(status);
        if (open) {
            parts.add(path);
        }
        return open;
    }
}
