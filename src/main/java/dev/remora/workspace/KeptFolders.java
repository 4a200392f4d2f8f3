package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where the work folders of failed requests stay for whoever looks for the cause: the last few, each of bounded size,
/// in `remora-kept` below the server's work folder. Only the owner may enter. What a former server kept counts too.
///
/// @param base the server's work folder; a move within one file system costs nothing
/// @param most folders; older ones are removed; 0 keeps none
/// @param mostBytes in the files of one folder; a larger one is not kept
public record KeptFolders(Bytes base, int most, long mostBytes) {
    /// Keeps nothing.
    public static final KeptFolders NONE = new KeptFolders(Bytes.EMPTY, 0, 0);

    private static final Bytes PLACE = Bytes.utf8("remora-kept");
    private static final Bytes WORK = Bytes.utf8("work");
    private static final int PRIVATE = 0700;
    private static final int EXISTS = 17;
    private static final int DEEPEST = 128;

    public boolean any() {
        return most > 0;
    }

    /// Moves what `workspace` holds to `<base>/remora-kept/<name>/work`. The workspace is as closed afterwards.
    ///
    /// @param name sorts by age, and is no other's
    /// @return the folder that holds `work`; empty where it was too large, and then the workspace is as it was
    /// @throws Fault WORKSPACE where it cannot be moved
    public Optional<Bytes> keep(Workspace workspace, Bytes name) {
        try {
            if (bytes(workspace.dir(), 0, 1) > mostBytes) {
                return Optional.empty();
            }
            Bytes place = base.slash(PLACE);
            makePrivate(place);
            try (Directory kept = Directory.open(place)) {
                kept.makeDirectory(name, PRIVATE);
                try (Directory own = kept.openDirectory(name)) {
                    workspace.moveTo(own, WORK);
                }
                removeOldest(kept);
            }
            return Optional.of(place.slash(name));
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot keep " + workspace.path() + ": " + e.getMessage(), e);
        }
    }

    private static void makePrivate(Bytes place) throws ErrnoException {
        try {
            Directory.make(place, PRIVATE);
        } catch (ErrnoException e) {
            if (e.errno() != EXISTS) {
                throw e;
            }
        }
    }

    /// Stops counting above the bound. What is too deep counts as too large: each level holds a descriptor.
    private long bytes(Directory directory, long before, int depth) throws ErrnoException {
        if (depth > DEEPEST) {
            return Long.MAX_VALUE;
        }
        long sum = before;
        for (DirectoryEntry entry : directory.list()) {
            FileStatus status = directory.status(entry.name());
            if (status.isDirectory()) {
                try (Directory child = directory.openDirectoryForcibly(entry.name())) {
                    sum = bytes(child, sum, depth + 1);
                }
            } else {
                sum += status.size();
            }
            if (sum > mostBytes) {
                return sum;
            }
        }
        return sum;
    }

    /// Two calls may do so at once: what the other has removed is gone, and that is all that was wanted.
    private void removeOldest(Directory kept) throws ErrnoException {
        List<Bytes> names = new ArrayList<>(
                kept.list().stream().map(DirectoryEntry::name).sorted().toList());
        while (names.size() > most) {
            TreeRemoval.remove(kept, names.removeFirst());
        }
    }
}
