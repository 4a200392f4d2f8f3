package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import dev.remora.posix.LexicalPath;
import dev.remora.posix.OpenFile;
import dev.remora.posix.ProcessIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The folders of all servers that share a base, and who may remove what.
///
/// ```
/// <base>/_cmp_server/         0700, ours alone; for commands of several users `_remora-<uid>`
///     lock                    held while a server makes its folder or looks for dead ones
///     remora-<random>/        one server's folder
///         lock                held as long as that server lives: the kernel drops it however the process ends
///         <random>/           one request's place, 0700
///             tree/           what its commands work in
///             home/, tmp/     its own, when asked for
/// ```
///
/// A server's folder has mode 0300: who is in it knows the way to his own place and cannot list the others', whose
/// names nobody can guess. The server lists it through the descriptor from before. (A command of the same user could
/// give itself the right back unless it is fenced; see SECURITY.md.)
///
/// A folder is swept only if its name is of our making and its lock can be taken. Since a folder is made and locked
/// under the outer lock, there is no moment in which a living one looks dead. What Argo CD's own server or anybody
/// else put there has no lock, proves nothing, and stays.
final class WorkRootLayout implements AutoCloseable {
    private static final Bytes LOCK = Bytes.utf8("lock");
    private static final Bytes PREFIX = Bytes.utf8("remora-");
    private static final Bytes SLASH = Bytes.utf8("/");
    private static final int PRIVATE = 0700;
    private static final int UNLISTED = 0300;
    private static final int PRIVATE_FILE = 0600;
    private static final int WRITABLE_BY_OTHERS = 0022;

    /// A folder whose owner is gone. We hold its lock until it is removed, so that nobody else begins to.
    private record Dead(Bytes name, OpenFile lock) {}

    private final WorkRootOptions options;
    private final Directory base;
    private final Directory own;
    private final Optional<Bytes> name;
    private final Optional<OpenFile> lock;
    private final Bytes path;
    private final List<Dead> dead;

    private WorkRootLayout(
            WorkRootOptions options,
            Directory base,
            Directory own,
            Optional<Bytes> name,
            Optional<OpenFile> lock,
            List<Dead> dead)
            throws ErrnoException {
        this.options = options;
        this.base = base;
        this.own = own;
        this.name = name;
        this.lock = lock;
        this.path = own.realPath();
        this.dead = dead;
    }

    /// Our own folder among others.
    static WorkRootLayout locked(WorkRootOptions options) {
        try {
            Directory base = openBase(options);
            try (OpenFile outer = base.openOrCreateFile(LOCK, PRIVATE_FILE)) {
                outer.lock();
                List<Dead> dead = findDead(base);
                Bytes name = PREFIX.plus(Bytes.utf8(options.names().get().toString()));
                base.makeDirectory(name, PRIVATE);
                Directory own = base.openDirectory(name);
                OpenFile lock = own.openOrCreateFile(LOCK, PRIVATE_FILE);
                if (!lock.tryLock()) {
                    throw new ErrnoException(Errno.EBUSY, "lock " + name);
                }
                own.changeMode(UNLISTED);
                return new WorkRootLayout(options, base, own, Optional.of(name), Optional.of(lock), dead);
            }
        } catch (ErrnoException e) {
            throw failed("creating", options, e);
        }
    }

    /// Argo CD's way: everything is removed and made again.
    static WorkRootLayout wiped(WorkRootOptions options) {
        try (Directory parent = openParent(options.base())) {
            TreeRemoval.remove(parent, options.folder());
        } catch (ErrnoException e) {
            throw failed("removing", options, e);
        }
        try {
            Directory base = openBase(options);
            return new WorkRootLayout(options, base, base, Optional.empty(), Optional.empty(), List.of());
        } catch (ErrnoException e) {
            throw failed("creating", options, e);
        }
    }

    private static Fault failed(String doing, WorkRootOptions options, ErrnoException e) {
        Bytes place = options.base().slash(options.folder());
        return new Fault(FaultCode.WORKSPACE, "error " + doing + " workdir " + place + ": " + e.getMessage(), e);
    }

    private static Directory openParent(Bytes base) throws ErrnoException {
        Bytes path = Bytes.EMPTY;
        if (LexicalPath.isAbsolute(base)) {
            path = SLASH;
        }
        for (Bytes part : LexicalPath.parts(base)) {
            path = LexicalPath.join(path, List.of(part));
            makeUnlessThere(path);
        }
        return Directory.open(base);
    }

    private static void makeUnlessThere(Bytes path) throws ErrnoException {
        try {
            Directory.open(path).close();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                return; // No right to look: opening the whole path decides.
            }
            Directory.make(path, PRIVATE);
        }
    }

    private static Directory openBase(WorkRootOptions options) throws ErrnoException {
        try (Directory parent = openParent(options.base())) {
            try {
                parent.makeDirectory(options.folder(), PRIVATE);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EEXIST) {
                    throw e;
                }
            }
            Directory base = parent.openDirectory(options.folder());
            try {
                makePrivate(base);
                return base;
            } catch (ErrnoException | Fault e) {
                base.close();
                throw e;
            }
        }
    }

    /// Somebody who can write to the base could put a link in our folder's place.
    private static void makePrivate(Directory base) throws ErrnoException {
        FileStatus status = base.status();
        if (status.owner() != ProcessIdentity.user()) {
            throw new Fault(
                    FaultCode.WORKSPACE,
                    "the work folder " + base.realPath() + " belongs to user " + status.owner() + ", not to us (user "
                            + ProcessIdentity.user() + "); set ARGOCD_CMP_WORKDIR to a folder of our own");
        }
        if ((status.mode() & WRITABLE_BY_OTHERS) != 0) {
            base.changeMode(PRIVATE);
        }
    }

    private static List<Dead> findDead(Directory base) throws ErrnoException {
        List<Dead> dead = new ArrayList<>();
        for (DirectoryEntry entry : base.list()) {
            if (entry.name().startsWith(PREFIX)) {
                lockOfDead(base, entry.name()).ifPresent(lock -> dead.add(new Dead(entry.name(), lock)));
            }
        }
        return dead;
    }

    private static Optional<OpenFile> lockOfDead(Directory base, Bytes name) {
        try (Directory folder = base.openForSearch(name)) {
            OpenFile lock = folder.openOrCreateFile(LOCK, PRIVATE_FILE);
            if (lock.tryLock()) {
                return Optional.of(lock);
            }
            lock.close();
            return Optional.empty();
        } catch (ErrnoException e) {
            return Optional.empty(); // Nothing is proven: it stays.
        }
    }

    /// Removes what dead servers left. Runs once, in the background.
    void sweep() {
        for (Dead folder : dead) {
            try {
                TreeRemoval.remove(base, folder.name());
            } catch (ErrnoException e) {
                report(path.slash(folder.name()), e);
            } finally {
                folder.lock().close();
            }
        }
    }

    private void report(Bytes place, ErrnoException e) {
        String message = "Failed to clean up temp directory: " + place + ": " + e.getMessage();
        options.removalFailed().accept(new Fault(FaultCode.WORKSPACE, message, e));
    }

    Directory directory() {
        return own;
    }

    Bytes path() {
        return path;
    }

    int dead() {
        return dead.size();
    }

    private void removeOwn(Bytes folder) {
        // Without the outer lock another server could meet the folder when its lock is gone and the rest is not.
        try (OpenFile outer = base.openOrCreateFile(LOCK, PRIVATE_FILE)) {
            outer.lock();
            TreeRemoval.remove(base, folder);
        } catch (ErrnoException e) {
            report(path, e);
        }
    }

    @Override
    public void close() {
        name.ifPresent(this::removeOwn);
        own.close();
        lock.ifPresent(OpenFile::close);
        base.close();
    }
}
