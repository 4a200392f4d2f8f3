package dev.remora.glob;

import dev.remora.posix.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/// Absolute paths without empty, `.` and `..` segments, as Go's `filepath.Join` makes them: by their text alone.
public final class CleanPath {
    public static final Bytes ROOT = Bytes.utf8("/");

    private static final Bytes DOT = Bytes.utf8(".");
    private static final Bytes DOT_DOT = Bytes.utf8("..");

    private CleanPath() {}

    /// `base/rest`, clean. `..` never climbs above `/`.
    public static Bytes join(Bytes base, Bytes rest) {
        var kept = new ArrayList<Bytes>();
        append(kept, base);
        append(kept, rest);
        return of(kept);
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

    private static void append(List<Bytes> kept, Bytes path) {
        for (Bytes segment : segments(path)) {
            if (segment.equals(DOT_DOT)) {
                if (!kept.isEmpty()) {
                    kept.removeLast();
                }
            } else if (!segment.isEmpty() && !segment.equals(DOT)) {
                kept.add(segment);
            }
        }
    }

    private static Bytes of(List<Bytes> segments) {
        if (segments.isEmpty()) {
            return ROOT;
        }
        var path = new ByteArrayOutputStream();
        for (Bytes segment : segments) {
            path.write('/');
            path.writeBytes(segment.toArray());
        }
        return Bytes.of(path.toByteArray());
    }
}
