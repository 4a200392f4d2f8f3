package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a command may have done to a tree and git would not see or not mend: modes of folders, other modes of files
/// than the right to execute, a second name of a file somewhere else, and anything called `.git`, which git never
/// removes.
final class UsedFolder {
    private static final int FOLDER_MODE = 0755;
    private static final int FILE_MODE = 0644;
    private static final Bytes GIT = Bytes.utf8(".git");

    private final Bytes folder;
    private final List<TreeEntry> entries;
    private final Set<Bytes> folders = new LinkedHashSet<>();

    UsedFolder(Bytes folder, List<TreeEntry> entries) {
        this.folder = folder;
        this.entries = entries;
        folders.add(folder);
        for (TreeEntry entry : entries) {
            Bytes path = entry.path();
            for (int slash = path.indexOf((byte) '/', 0); slash >= 0; slash = path.indexOf((byte) '/', slash + 1)) {
                folders.add(folder.slash(path.slice(0, slash)));
            }
        }
    }

    /// Before git looks: gives the tree's folders their mode, and removes what is called `.git` in them.
    void removeRepositories() {
        Set<Bytes> real = new HashSet<>();
        for (Bytes path : folders) { // parents first, so that no link is followed
            try {
                boolean reachable = path.equals(folder) || real.contains(path.slice(0, path.lastIndexOf((byte) '/')));
                Optional<FileStatus> found = reachable ? status(path) : Optional.empty();
                if (found.filter(FileStatus::isDirectory).isPresent()) {
                    real.add(path);
                    if (found.get().mode() != FOLDER_MODE) {
                        mend(path);
                    }
                    if (status(path.slash(GIT)).isPresent()) {
                        removeForcibly(Path.of(path.slash(GIT).toString()));
                    }
                }
            } catch (IOException e) {
                throw failed(path, e);
            }
        }
    }

    private static Optional<FileStatus> status(Bytes path) throws ErrnoException {
        try {
            return Optional.of(Directory.statusAt(path));
        } catch (ErrnoException e) {
            if (e.errno() == dev.remora.posix.Errno.ENOENT || e.errno() == dev.remora.posix.Errno.ENOTDIR) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static void mend(Bytes path) throws IOException {
        try (Directory directory = Directory.open(path)) {
            directory.changeMode(FOLDER_MODE);
        }
    }

    private static void removeForcibly(Path path) throws IOException {
        if (Files.isDirectory(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            FileTree.emptyForcibly(path);
        }
        Files.deleteIfExists(path);
    }

    /// After git has written: removes files that are not as it writes them, and says whether there were any.
    boolean removeOddFiles() {
        boolean removed = false;
        for (TreeEntry entry : entries) {
            Bytes path = folder.slash(entry.path());
            try {
                if (isOdd(entry, path)) {
                    Files.deleteIfExists(Path.of(path.toString()));
                    removed = true;
                }
            } catch (IOException e) {
                throw failed(path, e);
            }
        }
        return removed;
    }

    private static boolean isOdd(TreeEntry entry, Bytes path) throws ErrnoException {
        int wanted = switch (entry.type()) {
            case FILE -> FILE_MODE;
            case EXECUTABLE -> FOLDER_MODE;
            case LINK, SUBMODULE -> -1;
        };
        if (wanted < 0) {
            return false;
        }
        FileStatus status = Directory.statusAt(path);
        return status.mode() != wanted || status.links() != 1;
    }

    private static Fault failed(Bytes path, IOException e) {
        return new Fault(FaultCode.WORKSPACE, "cannot mend " + path + ": " + Fault.words(e), e);
    }
}
