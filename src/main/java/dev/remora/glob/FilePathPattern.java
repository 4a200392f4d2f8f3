package dev.remora.glob;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.List;

/// A pattern of Go's `filepath.Match`, taken apart once. See `docs/spec/discovery.md`.
///
/// A pattern is a list of chunks, each perhaps behind a `*`. A chunk is placed at the leftmost spot where it fits and
/// never moved again, so a match takes at most pattern × name steps. Go finds out that a chunk is malformed only when
/// it comes to it: a name that fails earlier is a plain "no". We keep that.
public final class FilePathPattern {
    /// What came of one name.
    public enum Answer {
        YES,
        NO,
        /// "syntax error in pattern"
        MALFORMED
    }

    /// Go's text for [Answer#MALFORMED].
    public static final String SYNTAX_ERROR = "syntax error in pattern";

    private static final int NO_FIT = -1;

    private final List<PatternChunk> chunks;
    private final boolean wellFormed;

    private FilePathPattern(List<PatternChunk> chunks) {
        this.chunks = chunks;
        this.wellFormed = chunks.stream().noneMatch(PatternChunk::malformed);
    }

    public static FilePathPattern of(Bytes pattern) {
        byte[] text = pattern.toArray();
        var chunks = new ArrayList<PatternChunk>();
        int at = 0;
        while (at < text.length) {
            int from = at;
            while (at < text.length && text[at] == '*') {
                at++;
            }
            boolean star = at > from;
            int end = PatternChunk.end(text, at);
            chunks.add(PatternChunk.parse(text, at, end, star));
            at = end;
        }
        return new FilePathPattern(chunks);
    }

    /// Whether no name at all can bring out [Answer#MALFORMED].
    public boolean wellFormed() {
        return wellFormed;
    }

    /// Whether the whole `name` matches.
    public Answer match(Bytes name) {
        return match(name.toArray());
    }

    private Answer match(byte[] name) {
        int at = 0;
        for (int i = 0; i < chunks.size(); i++) {
            PatternChunk chunk = chunks.get(i);
            if (chunk.isTrailingStar()) {
                return contains(name, at, '/') ? Answer.NO : Answer.YES;
            }
            if (chunk.malformed()) {
                return Answer.MALFORMED;
            }
            at = place(chunk, name, at, i == chunks.size() - 1);
            if (at == NO_FIT) {
                return Answer.NO;
            }
        }
        return at == name.length ? Answer.YES : Answer.NO;
    }

    /// Where the name goes on behind `chunk`: at its leftmost fit that a star allows. The last chunk must reach the
    /// end.
    private static int place(PatternChunk chunk, byte[] name, int from, boolean last) {
        int end = chunk.fit(name, from);
        if (end != NO_FIT && (!last || end == name.length)) {
            return end;
        }
        if (chunk.star()) {
            for (int i = from; i < name.length && name[i] != '/'; i++) {
                end = chunk.fit(name, i + 1);
                if (end != NO_FIT && (!last || end == name.length)) {
                    return end;
                }
            }
        }
        return NO_FIT;
    }

    private static boolean contains(byte[] text, int from, char wanted) {
        for (int i = from; i < text.length; i++) {
            if (text[i] == wanted) {
                return true;
            }
        }
        return false;
    }
}
