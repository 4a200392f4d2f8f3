package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.posix.ErrnoException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// Lends trees again, since deleting a repository and writing it anew is most of what a repeated request costs (see
/// `docs/concepts/recycled-trees.md`).
///
/// **Who gets which.** A tree is lent to one request at a time, and only where its [TreeKey] is the request's.
/// Preferred
/// is the one that holds the announced archive, then the one last used for the same owner, then an empty one. Without a
/// known owner only the very archive counts.
///
/// **From hand to hand.** A tree comes back when nothing that its request started is alive. First its place gets a new
/// name, so that nobody who heard the old one can find it; then everything beside the tree is removed; then it is
/// checked ([TreeCheck]) in the background. A second check, when it is lent, sees what somebody beyond our reach did
/// in between. Whatever is not proven is removed, and whatever goes wrong on the way costs the tree.
///
/// **Bounds.** Idle trees are bounded in number, bytes, inodes and age, and go first when space runs out. The one used
/// longest ago goes first.
///
/// Threads may share a pool. Mutable; `lock` guards `idle`, which is in the order of use, and `checking`; `trustLock`
/// guards `trust`.
public final class WorkspacePool implements AutoCloseable, Workspace.Lender {
    /// For a tree that is being checked at the moment; making a fresh one takes longer.
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /// Given back and not checked yet; whoever brings one more checks himself.
    private static final int WAITING = 16;
    /// Trees whose openings are watched at once. A user may have 128 such watches on the whole machine, by default.
    private static final int WATCHED = 32;
    /// After which the thread ends; it is made again when needed.
    private static final long IDLE_SECONDS = 5;

    private final WorkRoot root;
    private final RecycleOptions options;
    private final FileSystemClock clock;
    private final Consumer<String> notice;
    private final SpaceLeft space;
    private final EntryBudget budget;
    private final ScheduledThreadPoolExecutor background;
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Semaphore watches = new Semaphore(WATCHED);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition checked = lock.newCondition();
    private final List<PooledTree> idle = new ArrayList<>();
    /// Given back and not idle yet, or not gone yet: in nobody's hands.
    private final Set<PooledTree> checking = new HashSet<>();
    private final ReentrantLock trustLock = new ReentrantLock();
    private Optional<TreeTrust> trust = Optional.empty();

    private WorkspacePool(WorkRoot root, RecycleOptions options, FileSystemClock clock, Consumer<String> notice) {
        this.root = root;
        this.notice = notice;
        this.options = options;
        this.clock = clock;
        this.space = new SpaceLeft(root.directory());
        this.budget = new EntryBudget(options.inodes(), this::makeRoom);
        this.background = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("workspace-check").factory());
        this.background.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        this.background.allowCoreThreadTimeOut(true);
        this.background.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /// An empty pool.
    ///
    /// @param root stays the caller's, who closes it after this
    /// @param notice told once, as a sentence, when trees cannot be lent again here
    /// @throws Fault WORKSPACE where the root cannot be written to
    public static WorkspacePool open(WorkRoot root, RecycleOptions options, Consumer<String> notice) {
        try {
            WorkspacePool pool = new WorkspacePool(root, options, FileSystemClock.in(root.directory()), notice);
            if (options.on()) {
                pool.background.execute(pool::trust);
            }
            return pool;
        } catch (ErrnoException e) {
            throw Workspace.failed("cannot use the work folder " + root.path(), e);
        }
    }

    /// A tree for one request.
    ///
    /// @param checksum the SHA-256 of the archive that is announced
    /// @throws Fault WORKSPACE where nothing can be had
    public Workspace lend(TreeKey key, String checksum) {
        Optional<PooledTree> found = options.on() ? taken(key, checksum) : Optional.empty();
        if (found.isPresent()) {
            PooledTree tree = found.get();
            if (isSound(tree, false)) {
                return new Workspace(this, tree.place(), Optional.of(tree));
            }
            remove(tree);
        }
        Place place = made();
        return new Workspace(this, place, Optional.of(new PooledTree(key, new TreeIndex(budget), place)));
    }

    /// An empty place, also where idle trees have to go for it.
    private Place made() {
        while (true) {
            try {
                return root.make();
            } catch (Fault fault) {
                boolean full = fault.getCause() instanceof ErrnoException e && e.isFull();
                if (!full) {
                    throw fault;
                }
                if (!makeRoom()) {
                    return root.make(); // A last time: others may have given space back meanwhile.
                }
            }
        }
    }

    private Optional<PooledTree> taken(TreeKey key, String checksum) {
        Predicate<PooledTree> same = tree -> tree.key().equals(key)
                && tree.checksum().filter(checksum::equals).isPresent();
        Predicate<PooledTree> owners = tree -> key.owner().known() && tree.key().equals(key);
        long until = System.nanoTime() + PATIENCE_NANOS;
        lock.lock();
        try {
            Optional<PooledTree> tree = awaited(same, until).or(() -> awaited(owners, until));
            tree.ifPresent(idle::remove);
            return tree;
        } finally {
            lock.unlock();
        }
    }

    /// The one used last, also if it is being checked at the moment.
    private Optional<PooledTree> awaited(Predicate<PooledTree> wanted, long until) {
        boolean interrupted = false;
        try {
            while (true) {
                Optional<PooledTree> best =
                        idle.reversed().stream().filter(wanted).findFirst();
                long left = until - System.nanoTime();
                if (best.isPresent() || left <= 0 || checking.stream().noneMatch(wanted)) {
                    return best;
                }
                try {
                    long _ = checked.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    return Optional.empty();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void giveBack(Place place, Optional<PooledTree> given, boolean reusable) {
        PooledTree tree = given.orElseThrow();
        if (!reusable || !options.on()) {
            remove(tree);
            return;
        }
        lock.lock();
        try {
            checking.add(tree);
        } finally {
            lock.unlock();
        }
        if (!waiting.tryAcquire()) {
            takeBack(tree);
            return;
        }
        try {
            background.execute(() -> {
                waiting.release();
                takeBack(tree);
            });
        } catch (RejectedExecutionException closed) {
            takeBack(tree);
        }
    }

    private void takeBack(PooledTree tree) {
        boolean kept = false;
        try {
            kept = !(trust() instanceof TreeTrust.None) && isSound(tree, true);
        } finally {
            rest(tree, kept).forEach(this::remove);
        }
    }

    /// Tried once, from the start on: it takes a few ticks of the clock.
    private TreeTrust trust() {
        trustLock.lock();
        try {
            if (trust.isEmpty()) {
                trust = Optional.of(tried());
                if (trust.get() instanceof TreeTrust.None(String reason)) {
                    notice.accept("trees are not used again: " + reason);
                }
            }
            return trust.get();
        } finally {
            trustLock.unlock();
        }
    }

    private TreeTrust tried() {
        try {
            return TreeTrust.of(root.directory(), root.path(), clock);
        } catch (ErrnoException e) {
            return new TreeTrust.None("the work folder's file system could not be tried: " + e.getMessage());
        }
    }

    /// Makes tree and index agree; false when the tree is lost.
    private boolean isSound(PooledTree tree, boolean afterUse) {
        try {
            if (afterUse) {
                tree.moved(root.renamed(tree.place()));
                tree.place().emptyBeside();
            }
            if (!tree.place().holdsTree()) {
                return false;
            }
            long next = clock.now();
            tree.openings().ifPresent(Openings::note);
            TreeCheck.Doubt doubt = afterUse ? doubt(tree) : TreeCheck.Doubt.NONE;
            TreeCheck.Result result = TreeCheck.of(tree.index(), tree.place().tree(), tree.mark(), doubt);
            tree.openings().ifPresent(Openings::drop);
            if (result == TreeCheck.Result.PRUNED) {
                tree.holds(Optional.empty(), TreeRemark.NONE);
            }
            tree.markedAt(next);
            return result != TreeCheck.Result.SPOILED;
        } catch (ErrnoException e) {
            return false; // Whatever it was, a fresh tree does without.
        }
    }

    private TreeCheck.Doubt doubt(PooledTree tree) {
        if (!(trust() instanceof TreeTrust.ByContent)) {
            return TreeCheck.Doubt.NONE;
        }
        return tree.mayHideChanges() ? TreeCheck.Doubt.ALL : TreeCheck.Doubt.OPENED;
    }

    /// The tree becomes idle, if it may. Which trees have to go for it?
    private List<PooledTree> rest(PooledTree tree, boolean kept) {
        lock.lock();
        try {
            List<PooledTree> over = new ArrayList<>();
            if (kept) {
                checking.remove(tree);
                tree.rests(System.nanoTime());
                idle.add(tree);
                boolean scarce = space.isScarce();
                while (!idle.isEmpty()
                        && (scarce || idle.size() > options.trees() || sum(PooledTree::bytes) > options.bytes())) {
                    over.add(oldest());
                }
                checking.addAll(over);
                removeLater();
            } else {
                over.add(tree);
            }
            checked.signalAll();
            return over;
        } finally {
            lock.unlock();
        }
    }

    private long sum(ToLongFunction<PooledTree> of) {
        return idle.stream().mapToLong(of).sum();
    }

    /// Takes it out; under the lock.
    private PooledTree oldest() {
        return idle.removeFirst();
    }

    private void removeLater() {
        if (!background.isShutdown()) {
            Future<?> _ = background.schedule(this::removeOld, options.age().toMillis() + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void removeOld() {
        long now = System.nanoTime();
        List<PooledTree> old = new ArrayList<>();
        lock.lock();
        try {
            while (!idle.isEmpty()
                    && now - idle.getFirst().idleSince() >= options.age().toNanos()) {
                old.add(oldest());
            }
            checking.addAll(old);
        } finally {
            lock.unlock();
        }
        old.forEach(this::remove);
    }

    private void remove(PooledTree tree) {
        tree.forget();
        root.giveBack(tree.place(), Optional.empty(), false);
        lock.lock();
        try {
            checking.remove(tree);
            checked.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unpacked(Place place, PooledTree tree) throws ErrnoException {
        if (options.on() && trust() instanceof TreeTrust.ByContent(boolean told) && told) {
            if (tree.openings().isEmpty()) {
                Openings.begin(watches).ifPresent(tree::watched);
            }
            tree.openings().ifPresent(openings -> openings.cover(tree.index(), place.treePath()));
        }
        tree.markedAt(clock.now());
    }

    /// Removes the tree that nobody has used for the longest time, at once. One that is being checked at the moment is
    /// waited for: it was given back and is in nobody's hands.
    @Override
    public boolean makeRoom() {
        Optional<PooledTree> tree;
        lock.lock();
        try {
            tree = awaited(any -> true, System.nanoTime() + PATIENCE_NANOS).map(_ -> oldest());
        } finally {
            lock.unlock();
        }
        tree.ifPresent(oldest -> {
            oldest.forget();
            root.removeNow(oldest.place());
        });
        return tree.isPresent() || root.awaitRemovals();
    }

    public int idleTrees() {
        return Math.toIntExact(idle(tree -> 1));
    }

    public long idleBytes() {
        return idle(PooledTree::bytes);
    }

    public long idleInodes() {
        return idle(PooledTree::entries);
    }

    private long idle(ToLongFunction<PooledTree> of) {
        lock.lock();
        try {
            return sum(of);
        } finally {
            lock.unlock();
        }
    }

    /// Nothing is lent any more. Idle trees' files are left to the root.
    @Override
    public void close() {
        background.shutdown();
        boolean interrupted = false;
        while (!background.isTerminated()) {
            try {
                boolean _ = background.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        while (makeRoom()) {
            // Until none is left.
        }
        clock.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
