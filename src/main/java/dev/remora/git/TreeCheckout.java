package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.process.Cancellation;
import dev.remora.process.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Lays a tree out in a folder by git itself, with an index of the folder's own.
///
/// The index knows the object id and the identity (inode, times, size, mode) of every file that it wrote. So git
/// writes what differs from the last tree by object id, and what somebody changed meanwhile: nobody can set a file's
/// change time, and files as young as the index are compared by content. What is not in the index is removed. Line
/// ends, `ident` and encodings come out as in Argo CD's checkout, because it is one.
///
/// What git does not look at is looked at here ([UsedFolder]); and a folder that somebody made so unusable that git
/// fails in it is emptied and written anew.
final class TreeCheckout {
    private static final int MOST_LISTED = 5;

    private final GitWork work;
    private final GitRepositories all;
    private final RevisionTree tree;
    private final String folder;
    private final Path state;
    private final int depth;
    private final Bytes folderBytes;

    TreeCheckout(GitWork work, GitRepositories all, RevisionTree tree, Bytes folder, Bytes state, int depth) {
        if (!folder.isUtf8() || !state.isUtf8()) {
            throw new Fault(FaultCode.GIT_TREE, "the folder for the tree has a name that is not UTF-8: " + folder);
        }
        this.work = work;
        this.all = all;
        this.tree = tree;
        this.folder = folder.toString();
        this.folderBytes = folder;
        this.state = Path.of(state.toString());
        this.depth = depth;
    }

    LaidOut run(Cancellation cancellation) {
        List<TreeEntry> entries = tree.entries(cancellation);
        LargeFiles large = LargeFiles.of(work, tree, entries, cancellation);
        boolean used = prepare();
        try {
            writeAndCheck(used, entries, large, cancellation);
        } catch (Fault fault) {
            if (!used || cancellation.isCancelled() || GitFaults.tellsCorruption(Fault.words(fault))) {
                throw fault;
            }
            startOver();
            write(false, large, cancellation);
        }
        List<String> warnings = new ArrayList<>();
        List<Bytes> pointers = large.pointersLeft(folderBytes, entries);
        if (!pointers.isEmpty()) {
            warnings.add(pointers.size() + " files are pointers of Git LFS, not their content: " + some(pointers)
                    + large.advice());
        }
        new Submodules(work, all, tree, depth).layOut(folderBytes, state, entries, warnings, cancellation);
        return new LaidOut(
                entries.size(),
                entries.stream().mapToLong(TreeEntry::size).sum(),
                linkOutside(entries),
                pointers,
                warnings);
    }

    static String some(List<Bytes> paths) {
        List<String> first =
                paths.stream().limit(MOST_LISTED).map(Bytes::toString).toList();
        return String.join(", ", first) + (paths.size() > MOST_LISTED ? " and others" : "");
    }

    /// Whether the folder may hold something already.
    private boolean prepare() {
        try {
            Files.createDirectories(state);
            Files.deleteIfExists(state.resolve("index.lock"));
            try (Directory directory = Directory.open(folderBytes)) {
                return !directory.list().isEmpty() || Files.exists(index());
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void startOver() {
        try {
            Files.deleteIfExists(index());
            FileTree.emptyForcibly(Path.of(folder));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private Fault failed(IOException e) {
        return new Fault(FaultCode.WORKSPACE, "cannot use " + folder + " for a tree: " + Fault.words(e), e);
    }

    private Path index() {
        return state.resolve("index");
    }

    private void writeAndCheck(boolean used, List<TreeEntry> entries, LargeFiles large, Cancellation cancellation) {
        UsedFolder folderBefore = new UsedFolder(folderBytes, entries);
        if (used) {
            folderBefore.removeRepositories();
        }
        write(used, large, cancellation);
        if (used && folderBefore.removeOddFiles()) {
            write(true, large, cancellation);
        }
    }

    private void write(boolean used, LargeFiles large, Cancellation cancellation) {
        if (used) {
            byte[] _ = GitProgram.checked(
                    call(List.of("clean", "-ffdxq"), work.local()),
                    work.program().run(call(List.of("clean", "-ffdxq"), work.local()), cancellation));
        }
        List<String> arguments = List.of("read-tree", "--reset", "-u", "--end-of-options", tree.id());
        large.withLogin(work.local(), environment -> {
            GitProgram.Call call = call(arguments, environment);
            Outcome outcome = work.program().runWithPlainModes(call, cancellation);
            return GitProgram.checked(call, outcome);
        });
    }

    private GitProgram.Call call(List<String> arguments, GitEnvironment environment) {
        List<String> all = new ArrayList<>(List.of("-C", folder));
        all.addAll(arguments);
        GitEnvironment placed = environment
                .with("GIT_DIR", tree.repository().toString())
                .with("GIT_WORK_TREE", folder)
                .with("GIT_INDEX_FILE", index().toString());
        return new GitProgram.Call(
                "lay out " + tree.id() + " in " + folder,
                all,
                placed,
                large(arguments) ? work.times().fetch() : work.times().local());
    }

    private static boolean large(List<String> arguments) {
        return arguments.getFirst().equals("read-tree");
    }

    private Optional<Bytes> linkOutside(List<TreeEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.type() == TreeEntry.Type.LINK)
                .map(TreeEntry::path)
                .sorted(LinkBounds.WALK)
                .filter(this::leaves)
                .findFirst();
    }

    private boolean leaves(Bytes path) {
        try {
            return LinkBounds.leaves(path, Directory.readLinkAt(folderBytes.slash(path)));
        } catch (ErrnoException e) {
            throw failed(e);
        }
    }
}
