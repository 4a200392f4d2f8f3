package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.LexicalPath;
import java.util.List;

/// A path that is proven to lie inside its root (or to be it). There are two proofs, as Argo CD has two
/// (`docs/spec/archive.md`, application directory); what cannot be a path of the kernel at all, a NUL or a part
/// that is too long, is refused before anything could run somewhere else instead.
public final class RootedPath {
    private static final int NAME_MAX = 255;
    private static final int PATH_MAX = 4096;

    private final Bytes root;
    private final Bytes path;

    private RootedPath(Bytes root, Bytes path) {
        this.root = root;
        this.path = path;
    }

    /// By text alone: `root/relative` cleaned. Links are not looked at; whether the place exists neither.
    ///
    /// @throws Fault PATH_OUTSIDE where it leaves the root, PATH_INVALID where no such path can exist
    public static RootedPath lexical(Bytes root, Bytes relative) {
        Bytes base = LexicalPath.clean(root);
        Bytes path = LexicalPath.clean(base.slash(relative));
        if (!isInside(base, path)) {
            throw new Fault(FaultCode.PATH_OUTSIDE, "illegal appPath: out of workDir bound: " + relative);
        }
        return possible(base, path, relative);
    }

    /// By walking: links are followed inside the root, an absolute one starts at the root, and `..` stops there.
    /// What does not exist counts as it is written.
    public static RootedPath resolved(Bytes root, Bytes relative) {
        Bytes base = LexicalPath.clean(root);
        possible(base, LexicalPath.clean(base.slash(relative)), relative);
        try (Directory directory = Directory.open(base)) {
            List<Bytes> parts = LinkWalk.clamped(directory, relative);
            return possible(base, LexicalPath.join(base, parts), relative);
        } catch (ErrnoException e) {
            throw new Fault(FaultCode.PATH_INVALID, "application path " + relative + ": " + e.reason(), e);
        }
    }

    /// The root itself.
    public static RootedPath root(Bytes root) {
        return lexical(root, Bytes.EMPTY);
    }

    private static boolean isInside(Bytes root, Bytes path) {
        return path.equals(root) || path.startsWith(LexicalPath.join(root, List.of(Bytes.EMPTY)));
    }

    private static RootedPath possible(Bytes root, Bytes path, Bytes relative) {
        if (relative.indexOf((byte) 0, 0) >= 0) {
            throw new Fault(FaultCode.PATH_INVALID, "application path holds a NUL: invalid argument");
        }
        boolean tooLong = path.length() >= PATH_MAX
                || LexicalPath.parts(relative).stream().anyMatch(part -> part.length() > NAME_MAX);
        if (tooLong) {
            throw new Fault(FaultCode.PATH_INVALID, "application path: file name too long");
        }
        return new RootedPath(root, path);
    }

    public Bytes root() {
        return root;
    }

    /// Absolute.
    public Bytes path() {
        return path;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
