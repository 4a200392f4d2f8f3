package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Where one server keeps its requests' folders: `<base>/_cmp_server/remora-<random>`, which nobody can list, under a
/// lock that lasts as long as the process. See [WorkRootLayout] for who may remove what.
///
/// Folders that are given back are removed by one thread in the background; when it cannot keep up, whoever gives
/// back removes himself, so that folders cannot pile up. Threads may share a root.
public final class WorkRoot implements AutoCloseable, Workspace.Lender {
    /// Given back and not yet being removed.
    private static final int WAITING = 16;
    /// After which the thread ends; it is made again when needed.
    private static final long IDLE_SECONDS = 5;
    /// How long somebody waits for space who could not write.
    private static final long REMOVAL_SECONDS = 10;

    private final WorkRootLayout layout;
    private final WorkRootOptions options;
    private final ThreadPoolExecutor removals;
    /// For want of a descriptor; tried again with the next that is given back.
    private final Queue<GivenBack> unremoved = new ConcurrentLinkedQueue<>();

    /// Given back and not removed yet.
    private final AtomicInteger removing = new AtomicInteger();

    private record GivenBack(Bytes name, Bytes path) {}

    private WorkRoot(WorkRootLayout layout, WorkRootOptions options) {
        this.layout = layout;
        this.options = options;
        this.removals = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("workspace-removal").factory(),
                (removal, executor) -> removal.run());
        this.removals.allowCoreThreadTimeOut(true);
    }

    /// Makes the root and sweeps what dead servers left.
    ///
    /// @throws Fault WORKSPACE where that is impossible
    public static WorkRoot open(WorkRootOptions options) {
        WorkRootLayout layout = options.wipe() ? WorkRootLayout.wiped(options) : WorkRootLayout.locked(options);
        WorkRoot root = new WorkRoot(layout, options);
        root.removals.execute(layout::sweep);
        return root;
    }

    /// The root's own folder, real.
    public Bytes path() {
        return layout.path();
    }

    /// How many dead servers' folders were found at start; they are removed in the background.
    public int swept() {
        return layout.dead();
    }

    /// A fresh folder for one request, removed when it is closed.
    ///
    /// @throws Fault WORKSPACE, which names the reason: no space, no inodes, no descriptors
    public Workspace open() {
        return new Workspace(this, make(), Optional.empty());
    }

    /// An empty place.
    Place make() {
        Bytes name = newName();
        Bytes path = layout.path().slash(name);
        try {
            layout.directory().makeDirectory(name, Place.MODE);
            return openMade(name, path);
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot make a folder in " + layout.path() + ": " + e.reason(), e);
        }
    }

    private Bytes newName() {
        return Bytes.utf8(options.names().get().toString());
    }

    private Place openMade(Bytes name, Bytes path) throws ErrnoException {
        try {
            Directory directory = layout.directory().openDirectory(name);
            try {
                return Place.in(name, path, directory);
            } catch (ErrnoException e) {
                directory.close();
                throw e;
            }
        } catch (ErrnoException e) {
            giveBack(name, path);
            throw e;
        }
    }

    /// The place under a name that nobody has heard of.
    Place renamed(Place place) throws ErrnoException {
        Bytes name = newName();
        layout.directory().rename(place.name(), layout.directory(), name);
        return place.named(name, layout.path().slash(name));
    }

    /// Where places lie.
    Directory directory() {
        return layout.directory();
    }

    WorkRootOptions options() {
        return options;
    }

    @Override
    public void giveBack(Place place, Optional<PooledTree> tree, boolean reusable) {
        place.close();
        giveBack(place.name(), place.path());
    }

    /// As [#giveBack], and returns when it is gone.
    void removeNow(Place place) {
        place.close();
        remove(new GivenBack(place.name(), place.path()));
    }

    @Override
    public void unpacked(Place place, PooledTree tree) {
        // Nothing that is not lent again is checked.
    }

    @Override
    public boolean makeRoom() {
        return false;
    }

    private void giveBack(Bytes name, Bytes path) {
        removing.incrementAndGet();
        removals.execute(() -> {
            int waiting = unremoved.size();
            try {
                remove(new GivenBack(name, path));
            } finally {
                removing.decrementAndGet();
            }
            for (int i = 0; i < waiting; i++) {
                Optional.ofNullable(unremoved.poll()).ifPresent(this::remove);
            }
        });
    }

    /// Waits for what was given back so far to be gone.
    ///
    /// @return whether there was anything
    boolean awaitRemovals() {
        if (removing.get() == 0) {
            return false;
        }
        CountDownLatch gone = new CountDownLatch(1);
        removals.execute(gone::countDown);
        try {
            return gone.await(REMOVAL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void remove(GivenBack folder) {
        try {
            TreeRemoval.remove(layout.directory(), folder.name());
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE) {
                unremoved.add(folder);
            }
            String message = "Failed to clean up temp directory: " + folder.path() + ": " + e.getMessage();
            options.removalFailed().accept(new Fault(FaultCode.WORKSPACE, message, e));
        }
    }

    /// Returns when everything that was given back is removed, and the root itself with it. Folders that are still
    /// lent go too.
    @Override
    public void close() {
        removals.shutdown();
        boolean interrupted = false;
        while (!removals.isTerminated()) {
            try {
                boolean _ = removals.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        layout.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
