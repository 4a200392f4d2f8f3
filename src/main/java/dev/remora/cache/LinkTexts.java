package dev.remora.cache;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the links of a tree lead, by their texts alone.
///
/// @param links path → text
record LinkTexts(Map<Bytes, Bytes> links) {
    private static final int MOST_LINKS = 40;

    /// The place below the root, whether it exists or not; empty for a way out of it and for a loop.
    Optional<Bytes> place(Bytes link) {
        Deque<Bytes> ahead = new ArrayDeque<>(LexicalPath.parts(link));
        List<Bytes> place = new ArrayList<>();
        int followed = 0;
        while (!ahead.isEmpty()) {
            Bytes part = ahead.removeFirst();
            if (LexicalPath.isUp(part)) {
                if (place.isEmpty()) {
                    return Optional.empty();
                }
                place.removeLast();
                continue;
            }
            place.add(part);
            Bytes text = links.get(LexicalPath.join(Bytes.EMPTY, place));
            if (text != null) {
                followed++;
                if (followed > MOST_LINKS || LexicalPath.isAbsolute(text)) {
                    return Optional.empty();
                }
                place.removeLast();
                LexicalPath.parts(text).reversed().forEach(ahead::addFirst);
            }
        }
        return Optional.of(LexicalPath.join(Bytes.EMPTY, place));
    }
}
