package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import dev.remora.process.Cancellation;
import dev.remora.process.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// The files of a tree that Git LFS keeps elsewhere, with a pointer in their place. They are fetched while the tree
/// is laid out, by `git-lfs` as git's filter, where that is wanted and the program is there.
final class LargeFiles {
    private static final byte[] POINTER =
            "version https://git-lfs.github.com/spec/v1".getBytes(StandardCharsets.US_ASCII);
    /// A pointer is three short lines.
    private static final int LONGEST_POINTER = 1024;

    private static final Bytes ATTRIBUTES = Bytes.utf8(".gitattributes");
    private static final Bytes SLASH_ATTRIBUTES = Bytes.utf8("/.gitattributes");

    private final GitWork work;
    private final RevisionTree tree;
    private final State state;

    private enum State {
        /// No attribute file names the filter.
        NONE,
        NOT_WANTED,
        NO_PROGRAM,
        FETCHED
    }

    private LargeFiles(GitWork work, RevisionTree tree, State state) {
        this.work = work;
        this.tree = tree;
        this.state = state;
    }

    static LargeFiles of(GitWork work, RevisionTree tree, List<TreeEntry> entries, Cancellation cancellation) {
        boolean attributes = entries.stream().anyMatch(entry -> isAttributes(entry.path()));
        if (!attributes || !namesTheFilter(work, tree, cancellation)) {
            return new LargeFiles(work, tree, State.NONE);
        }
        boolean wanted = switch (work.options().lfs()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AS_ARGOCD -> tree.owner().access().transport().lfs();
        };
        if (!wanted) {
            return new LargeFiles(work, tree, State.NOT_WANTED);
        }
        GitProgram.Call version = new GitProgram.Call(
                "look for git-lfs",
                List.of("lfs", "version"),
                work.local(),
                work.times().local());
        boolean there =
                work.program().run(version, cancellation) instanceof Outcome.Exited exited && exited.status() == 0;
        return new LargeFiles(work, tree, there ? State.FETCHED : State.NO_PROGRAM);
    }

    private static boolean isAttributes(Bytes path) {
        return path.equals(ATTRIBUTES)
                || (path.length() > SLASH_ATTRIBUTES.length()
                        && path.slice(path.length() - SLASH_ATTRIBUTES.length(), path.length())
                                .equals(SLASH_ATTRIBUTES));
    }

    private static boolean namesTheFilter(GitWork work, RevisionTree tree, Cancellation cancellation) {
        GitProgram.Call call = new GitProgram.Call(
                "look for Git LFS in " + tree.id(),
                List.of(
                        "--git-dir=" + tree.repository(),
                        "grep",
                        "-q",
                        "-F",
                        "-e",
                        "filter=lfs",
                        tree.id(),
                        "--",
                        ":(glob)**/.gitattributes"),
                work.local(),
                work.times().local());
        Outcome outcome = work.program().run(call, cancellation);
        if (outcome instanceof Outcome.Exited exited && exited.status() <= 1) {
            return exited.status() == 0;
        }
        throw GitFaults.of(call.what(), outcome);
    }

    /// Runs git with what the filter needs: itself, and the repository's login.
    byte[] withLogin(GitEnvironment local, Function<GitEnvironment, byte[]> step) {
        if (state != State.FETCHED) {
            return step.apply(local);
        }
        GitRepository owner = tree.owner();
        try (GitSession session = work.session(owner.url(), owner.access())) {
            GitEnvironment environment = session.environment()
                    .configured("safe.directory", "*")
                    .configured("filter.lfs.process", "git-lfs filter-process")
                    .configured("filter.lfs.smudge", "git-lfs smudge -- %f")
                    .configured("filter.lfs.required", "true")
                    .configured("remote.origin.url", owner.url().address())
                    .configured("lfs.concurrenttransfers", "4")
                    .with("GIT_LFS_SKIP_SMUDGE", "0");
            try {
                return step.apply(environment);
            } catch (Fault fault) {
                throw session.explained(fault);
            }
        }
    }

    /// Files that are pointers still.
    List<Bytes> pointersLeft(Bytes folder, List<TreeEntry> entries) {
        List<Bytes> left = new ArrayList<>();
        if (state != State.NONE) {
            for (TreeEntry entry : entries) {
                boolean file = entry.type() == TreeEntry.Type.FILE || entry.type() == TreeEntry.Type.EXECUTABLE;
                if (file
                        && entry.size() > POINTER.length
                        && entry.size() < LONGEST_POINTER
                        && isPointer(folder.slash(entry.path()))) {
                    left.add(entry.path());
                }
            }
        }
        return left;
    }

    private static boolean isPointer(Bytes path) {
        int slash = path.lastIndexOf((byte) '/');
        try (Directory parent = Directory.open(path.slice(0, slash));
                OpenFile file = parent.openFile(path.slice(slash + 1, path.length()))) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(POINTER.length);
            int read = file.read(buffer);
            byte[] start = new byte[Math.max(read, 0)];
            buffer.flip().get(start);
            return Arrays.equals(start, POINTER);
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot read " + path + ": " + e.reason(), e);
        }
    }

    String advice() {
        return switch (state) {
            case NONE, FETCHED -> "";
            case NOT_WANTED -> "; set enableLfs in the repository's Secret, as Argo CD wants it, to have them fetched";
            case NO_PROGRAM -> "; install git-lfs to have them fetched";
        };
    }
}
