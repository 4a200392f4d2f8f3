package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/// Waits until files change. Of a folder all that lies below counts, links not followed, and of a repository's `.git`
/// only what is checked out and which commit that is. For one thread.
final class FileChanges implements AutoCloseable {
    /// Whoever saves writes several files: a change counts when nothing has happened for so long.
    private static final long QUIET_MILLIS = 150;
    /// Whoever writes all the time is not waited for longer.
    private static final long LONGEST_MILLIS = 2_000;
    /// More could not be watched by most users' limits either.
    private static final int MOST_FOLDERS = 100_000;

    private static final String GIT = ".git";
    private static final Set<String> OF_GIT = Set.of("HEAD", "packed-refs", "refs");
    private static final String LOCK = ".lock";

    private final WatchService service;
    private final Map<Path, WatchKey> keys = new HashMap<>();
    private final Map<WatchKey, Path> folders = new HashMap<>();
    private final List<Path> except;
    private Set<Path> roots = Set.of();
    private Set<Path> files = Set.of();

    private FileChanges(WatchService service, List<Path> except) {
        this.service = service;
        this.except =
                except.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    }

    /// @param except what never counts, with all below it
    static FileChanges open(List<Path> except) {
        try {
            return new FileChanges(FileSystems.getDefault().newWatchService(), except);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static Fault failed(IOException e) {
        return new Fault(FaultCode.WATCH, "files cannot be watched: " + Fault.words(e), e);
    }

    /// What counts from now on.
    ///
    /// @param places files and folders; what is not there counts when it comes
    /// @return how many folders are watched
    int watch(List<Path> places) {
        Set<Path> wholes = new HashSet<>();
        Set<Path> singles = new HashSet<>();
        Set<Path> wanted = new HashSet<>();
        for (Path place : places) {
            Path path = place.toAbsolutePath().normalize();
            Path parent = path.getParent();
            if (Files.isDirectory(path)) {
                wholes.add(path);
                below(path, wanted);
            } else if (parent != null && Files.isDirectory(parent)) {
                singles.add(path);
                wanted.add(parent);
            }
        }
        roots = wholes;
        files = singles;
        List.copyOf(keys.keySet()).stream()
                .filter(folder -> !wanted.contains(folder))
                .forEach(this::forget);
        wanted.forEach(this::register);
        return keys.size();
    }

    private static void below(Path root, Set<Path> into) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    if (into.size() >= MOST_FOLDERS) {
                        throw new Fault(
                                FaultCode.WATCH, root + " has more than " + MOST_FOLDERS + " folders to be watched");
                    }
                    into.add(folder);
                    return isOfGit(folder) && !folder.endsWith(GIT) && !counts(folder)
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static boolean isOfGit(Path path) {
        for (Path name : path) {
            if (name.toString().equals(GIT)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a path in a `.git` tells of another commit.
    private static boolean counts(Path path) {
        boolean inside = false;
        for (Path name : path) {
            if (inside) {
                return OF_GIT.contains(name.toString()) && !path.toString().endsWith(LOCK);
            }
            inside = name.toString().equals(GIT);
        }
        return !inside;
    }

    private void register(Path folder) {
        if (keys.containsKey(folder)) {
            return;
        }
        try {
            WatchKey key = folder.register(
                    service,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            keys.put(folder, key);
            folders.put(key, folder);
        } catch (IOException e) {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new Fault(
                        FaultCode.WATCH,
                        folder + " cannot be watched: " + Fault.words(e)
                                + "; if the user's watches are used up, raise fs.inotify.max_user_watches",
                        e);
            }
        }
    }

    private void forget(Path folder) {
        WatchKey key = keys.remove(folder);
        if (key != null) {
            folders.remove(key);
            key.cancel();
        }
    }

    /// The paths that changed, once there are some and quiet has returned; empty when it was cancelled. A root itself
    /// stands for more changes than could be told.
    SortedSet<Path> await(Cancellation cancellation) {
        SortedSet<Path> changed = new TreeSet<>();
        try (var _ = cancellation.onCancel(this::close)) {
            while (changed.isEmpty()) {
                take(service.take(), changed);
            }
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
            Optional<WatchKey> next = next();
            while (next.isPresent() && System.nanoTime() < until) {
                take(next.get(), changed);
                next = next();
            }
            return changed;
        } catch (ClosedWatchServiceException cancelled) {
            return new TreeSet<>();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new TreeSet<>();
        }
    }

    private Optional<WatchKey> next() throws InterruptedException {
        return Optional.ofNullable(service.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void take(WatchKey key, Set<Path> changed) {
        Path folder = folders.get(key);
        for (WatchEvent<?> event : key.pollEvents()) {
            if (folder == null) {
                continue;
            }
            if (event.context() instanceof Path name) {
                Path path = folder.resolve(name);
                if (isWanted(path)) {
                    changed.add(path);
                    registerNew(path);
                }
            } else {
                changed.add(folder);
            }
        }
        if (!key.reset() && folder != null) {
            forget(folder);
        }
    }

    private boolean isWanted(Path path) {
        return except.stream().noneMatch(path::startsWith) && isNamed(path);
    }

    private boolean isNamed(Path path) {
        return files.contains(path) || (roots.stream().anyMatch(path::startsWith) && counts(path));
    }

    /// A new folder may have been filled before it was watched, and whatever is in it came with it.
    private void registerNew(Path path) {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && roots.stream().anyMatch(path::startsWith)) {
            Set<Path> all = new HashSet<>();
            below(path, all);
            all.forEach(this::register);
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
