package dev.remora.glob;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;

/// Absolute paths without empty, `.` and `..` segments, as Go's `filepath.Join` makes them: by their text alone.
public final class CleanPath {
    public static final Bytes ROOT = Bytes.utf8("/");

    private CleanPath() {}

    /// `base/rest`, clean. `..` never climbs above `/`.
    public static Bytes join(Bytes base, Bytes rest) {
        return LexicalPath.clean(base.slash(rest));
    }

    /// The segments of `path`, empty ones included.
    static List<Bytes> segments(Bytes path) {
        var segments = new ArrayList<Bytes>();
        int from = 0;
        int slash = path.indexOf((byte) '/', 0);
        while (slash >= 0) {
            segments.add(path.slice(from, slash));
            from = slash + 1;
            slash = path.indexOf((byte) '/', from);
        }
        segments.add(path.slice(from, path.length()));
        return segments;
    }
}
