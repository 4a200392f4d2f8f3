package dev.remora.posix;

import java.util.ArrayList;
import java.util.List;

/// Paths as text, cleaned as Go's `path.Clean` does, without a look at the file system.
public final class LexicalPath {
    private static final byte SLASH = '/';
    private static final Bytes HERE = Bytes.utf8(".");
    private static final Bytes UP = Bytes.utf8("..");
    private static final Bytes ROOT = Bytes.utf8("/");

    private LexicalPath() {}

    /// The shortest equal path: no empty parts, no `.`, `..` only at the start of a relative one; `.` for nothing.
    public static Bytes clean(Bytes path) {
        boolean absolute = isAbsolute(path);
        List<Bytes> kept = new ArrayList<>();
        for (Bytes part : parts(path)) {
            if (!part.equals(UP)) {
                kept.add(part);
            } else if (!kept.isEmpty() && !kept.getLast().equals(UP)) {
                kept.removeLast();
            } else if (!absolute) {
                kept.add(UP);
            }
        }
        return absolute ? join(ROOT, kept) : kept.isEmpty() ? HERE : join(Bytes.EMPTY, kept);
    }

    /// The parts between slashes, without empty ones and `.`.
    public static List<Bytes> parts(Bytes path) {
        List<Bytes> parts = new ArrayList<>();
        int from = 0;
        while (from <= path.length()) {
            int slash = path.indexOf(SLASH, from);
            int to = slash < 0 ? path.length() : slash;
            Bytes part = path.slice(from, to);
            if (!part.isEmpty() && !part.equals(HERE)) {
                parts.add(part);
            }
            from = to + 1;
        }
        return parts;
    }

    /// `base/part/part`; `base` alone when there are none, without a slash behind an empty base or the root.
    public static Bytes join(Bytes base, List<Bytes> parts) {
        Bytes path = base;
        for (Bytes part : parts) {
            path = path.isEmpty() || path.equals(ROOT) ? path.plus(part) : path.slash(part);
        }
        return path;
    }

    public static boolean isAbsolute(Bytes path) {
        return !path.isEmpty() && path.at(0) == SLASH;
    }

    public static boolean isUp(Bytes part) {
        return part.equals(UP);
    }
}
