package dev.remora.git;

import dev.remora.digest.Sha256;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.OpenFile;
import dev.remora.process.Cancellation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Laid-out trees that outlive a command: the next one writes only what differs.
///
/// ```
/// <root>/v1/<digest of the repository>/<number>/
///     tree/     the files of one revision
///     state/    git's index of them
///     lock      held by the process that uses it, as long as it lives
///     holds     id of the revision, and its size in bytes; absent while it is being laid out
/// ```
///
/// Within one run all who want one revision read the same tree; nobody writes into it. Trees of one repository never
/// serve another. Many threads may use it; `lock` guards the map.
public final class RecycledTrees implements AutoCloseable {
    public static final long MOST_BYTES = 4L << 30;

    private static final String LAYOUT = "v1";
    private static final int NAME_DIGITS = 32;
    private static final int PRIVATE_FILE = 0600;
    /// More revisions of one repository are not used at once.
    private static final int MOST_OF_ONE = 1024;

    private final Path root;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Shared> shared = new HashMap<>();
    private final Map<String, List<Slot>> unshared = new HashMap<>();

    private record Key(String repository, String tree) {}

    /// @param root made when it is first needed
    /// @param mostBytes above it, trees that nobody uses are removed, the one used longest ago first
    public RecycledTrees(Path root, long mostBytes) {
        this.root = root.resolve(LAYOUT);
        this.mostBytes = mostBytes;
    }

    /// A tree that is laid out and stays so until it is closed.
    public final class Lent implements AutoCloseable {
        private final Shared from;
        private final Runnable whenClosed;
        private boolean open = true;

        private Lent(Shared from, Runnable whenClosed) {
            this.from = from;
            this.whenClosed = whenClosed;
        }

        /// Absolute.
        public Path folder() {
            return from.tree();
        }

        public LaidOut laidOut() {
            return from.laid.orElseThrow();
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (open) {
                    open = false;
                    from.readers--;
                    whenClosed.run();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// A folder of this process. `readers` is guarded by the outer lock, the rest by `laying`.
    private static final class Shared {
        private final ReentrantLock laying = new ReentrantLock();
        private int readers = 1;
        private Optional<Slot> slot = Optional.empty();
        private Optional<LaidOut> laid = Optional.empty();

        Path tree() {
            return slot.orElseThrow().folder().resolve("tree");
        }
    }

    private record Slot(Path folder, OpenFile held) {}

    /// The files of a revision, laid out now unless they are already.
    public Lent lend(RevisionTree tree, Cancellation cancellation) {
        Key key = new Key(tree.owner().url().normalised(), tree.id());
        Shared entry = join(key);
        Lent lent = new Lent(entry, () -> {});
        entry.laying.lock();
        try {
            if (entry.laid.isEmpty()) {
                layOut(key, entry, tree, cancellation);
            }
            return lent;
        } catch (RuntimeException e) {
            lent.close();
            throw e;
        } finally {
            entry.laying.unlock();
        }
    }

    /// The files of a revision for one reader alone, who may do what he likes: they are laid out anew each time, and
    /// nobody may write into them while they are lent.
    public Lent lendAlone(RevisionTree tree, Cancellation cancellation) {
        Key key = new Key(tree.owner().url().normalised(), tree.id());
        Shared entry = new Shared();
        entry.slot = unsharedOf(key.repository());
        Lent lent = new Lent(entry, () -> restore(key.repository(), entry));
        try {
            if (entry.slot.isPresent()) {
                FileTree.setWritable(entry.tree(), true);
            }
            layOut(key, entry, tree, cancellation);
            FileTree.setWritable(entry.tree(), false);
            return lent;
        } catch (IOException e) {
            lent.close();
            throw failed(root, e);
        } catch (RuntimeException e) {
            lent.close();
            throw e;
        }
    }

    private Optional<Slot> unsharedOf(String repository) {
        lock.lock();
        try {
            List<Slot> idle = unshared.getOrDefault(repository, List.of());
            return idle.isEmpty() ? Optional.empty() : Optional.of(idle.removeLast());
        } finally {
            lock.unlock();
        }
    }

    private void restore(String repository, Shared entry) {
        lock.lock();
        try {
            entry.slot.ifPresent(slot ->
                    unshared.computeIfAbsent(repository, _ -> new ArrayList<>()).add(slot));
        } finally {
            lock.unlock();
        }
    }

    private Shared join(Key key) {
        lock.lock();
        try {
            Shared known = shared.get(key);
            if (known != null) {
                known.readers++;
                return known;
            }
            Shared made = new Shared();
            shared.put(key, made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    private void layOut(Key key, Shared entry, RevisionTree tree, Cancellation cancellation) {
        Slot slot = entry.slot.or(() -> idleOf(key)).orElseGet(() -> take(key));
        entry.slot = Optional.of(slot);
        Path holds = slot.folder().resolve("holds");
        try {
            Path files = Files.createDirectories(slot.folder().resolve("tree"));
            if (!Files.isWritable(files) || !Files.exists(holds)) {
                FileTree.setWritable(files, true); // left by a process that was killed, or lent to one alone
            }
            Files.deleteIfExists(holds);
            LaidOut laid = tree.layOut(
                    Bytes.utf8(entry.tree().toString()),
                    Bytes.utf8(slot.folder().resolve("state").toString()),
                    cancellation);
            Files.writeString(holds, tree.id() + " " + laid.bytes() + "\n");
            entry.laid = Optional.of(laid);
        } catch (IOException e) {
            throw failed(slot.folder(), e);
        }
    }

    /// A folder of ours that holds another revision of the repository, which nobody reads any more.
    private Optional<Slot> idleOf(Key key) {
        lock.lock();
        try {
            for (Map.Entry<Key, Shared> other : shared.entrySet()) {
                Shared idle = other.getValue();
                if (other.getKey().repository().equals(key.repository())
                        && idle.readers == 0
                        && idle.slot.isPresent()) {
                    shared.remove(other.getKey());
                    return idle.slot;
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// A folder that no process uses: one that holds the very revision, else any, else a new one.
    private Slot take(Key key) {
        Path all = root.resolve(
                Sha256.hex(key.repository().getBytes(StandardCharsets.UTF_8)).substring(0, NAME_DIGITS));
        try {
            Files.createDirectories(all);
            List<Path> known = new ArrayList<>(folders(all));
            known.sort(Comparator.comparing(folder -> !holds(folder).equals(key.tree())));
            for (Path folder : known) {
                Optional<Slot> free = hold(folder);
                if (free.isPresent()) {
                    return free.get();
                }
            }
            return fresh(all);
        } catch (IOException e) {
            throw failed(all, e);
        }
    }

    private static Slot fresh(Path all) throws IOException {
        for (int number : IntStream.range(0, MOST_OF_ONE).toArray()) {
            Path folder = all.resolve(String.valueOf(number));
            if (!Files.exists(folder)) {
                Files.createDirectories(folder);
                Optional<Slot> made = hold(folder);
                if (made.isPresent()) {
                    return made.get();
                }
            }
        }
        throw new Fault(
                FaultCode.GIT_CACHE, "more than " + MOST_OF_ONE + " trees of one repository are used in " + all);
    }

    private static List<Path> folders(Path all) throws IOException {
        try (Stream<Path> found = Files.list(all)) {
            return found.sorted().toList();
        }
    }

    private static String holds(Path folder) {
        try {
            return Files.readString(folder.resolve("holds")).split(" ", 2)[0];
        } catch (IOException beingLaidOut) {
            return "";
        }
    }

    /// Empty where another process has it.
    private static Optional<Slot> hold(Path folder) throws IOException {
        try (Directory directory = Directory.open(Bytes.utf8(folder.toString()))) {
            OpenFile file = directory.openOrCreateFile(Bytes.utf8("lock"), PRIVATE_FILE);
            if (file.tryLock()) {
                Files.setLastModifiedTime(folder, FileTime.fromMillis(System.currentTimeMillis()));
                return Optional.of(new Slot(folder, file));
            }
            file.close();
            return Optional.empty();
        }
    }

    private static Fault failed(Path folder, IOException e) {
        return new Fault(FaultCode.GIT_CACHE, "cannot use the folder " + folder + ": " + Fault.words(e), e);
    }

    private record Kept(Path folder, long bytes, long usedMillis) {}

    /// Gives the folders to other processes, and removes what is too much. Nothing may be lent any more.
    @Override
    public void close() {
        lock.lock();
        try {
            shared.values()
                    .forEach(entry -> entry.slot.ifPresent(slot -> slot.held().close()));
            shared.clear();
            unshared.values().forEach(slots -> slots.forEach(slot -> slot.held().close()));
            unshared.clear();
        } finally {
            lock.unlock();
        }
        if (Files.isDirectory(root)) {
            shrink();
        }
    }

    private void shrink() {
        try {
            List<Kept> all = new ArrayList<>();
            for (Path repository : folders(root)) {
                for (Path folder : folders(repository)) {
                    all.add(kept(folder));
                }
            }
            all.sort(Comparator.comparingLong(Kept::usedMillis));
            long sum = all.stream().mapToLong(Kept::bytes).sum();
            for (Kept oldest : all) {
                if (sum <= mostBytes) {
                    return;
                }
                sum -= remove(oldest.folder()) ? oldest.bytes() : 0;
            }
        } catch (IOException e) {
            throw failed(root, e);
        }
    }

    private static Kept kept(Path folder) throws IOException {
        Path holds = folder.resolve("holds");
        long bytes = Files.exists(holds) ? size(Files.readString(holds), folder) : FileTree.size(folder);
        return new Kept(folder, bytes, Files.getLastModifiedTime(folder).toMillis());
    }

    private static long size(String holds, Path folder) throws IOException {
        String[] words = holds.strip().split(" ", 2);
        return words.length == 2 && words[1].chars().allMatch(Character::isDigit)
                ? Long.parseLong(words[1])
                : FileTree.size(folder);
    }

    private static boolean remove(Path folder) throws IOException {
        Optional<Slot> held = hold(folder);
        if (held.isEmpty()) {
            return false;
        }
        try (OpenFile _ = held.get().held()) {
            FileTree.emptyForcibly(folder);
            FileTree.remove(folder);
            return true;
        }
    }
}
