package dev.remora.git;

import dev.remora.posix.Bytes;
import java.util.Arrays;
import java.util.Comparator;

/// Argo CD's test for links that leave the repository (docs/spec/git.md, "Links"): an absolute one does, and one
/// whose text, followed step by step without looking at the disk, is outside at any step, even if it comes back.
final class LinkBounds {
    private static final byte SLASH = '/';

    /// The order in which a walk of the folders meets files: by one name after the other.
    static final Comparator<Bytes> WALK = (one, other) -> {
        byte[] ours = one.toArray();
        byte[] theirs = other.toArray();
        int at = Arrays.mismatch(ours, theirs);
        if (at < 0 || at >= ours.length || at >= theirs.length) {
            return Integer.compare(ours.length, theirs.length);
        }
        if (ours[at] == SLASH || theirs[at] == SLASH) {
            return ours[at] == SLASH ? -1 : 1;
        }
        return Byte.compareUnsigned(ours[at], theirs[at]);
    };

    private LinkBounds() {}

    /// @param path of the link, from the root
    /// @param text what the link says
    static boolean leaves(Bytes path, Bytes text) {
        if (!text.isEmpty() && text.at(0) == SLASH) {
            return true;
        }
        int depth = 0;
        for (byte b : path.toArray()) {
            depth += b == SLASH ? 1 : 0;
        }
        for (String part : text.toString().split("/", -1)) {
            if (part.equals("..")) {
                depth--;
            } else if (!part.isEmpty() && !part.equals(".")) {
                depth++;
            }
            if (depth < 0) {
                return true;
            }
        }
        return false;
    }
}
