package dev.remora.archive;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a link's text names, read word by word from the directory that holds the link.
///
/// **Why a kept text cannot lead out, whatever links come before or after.** Only a text whose `..` all stand in
/// front of
/// its names, and are no more than the holding directory is deep, is kept; every other one is written anew in that
/// form.
/// The holding directory is a real one and stays where it is, so the leading `..` end in a real directory inside the
/// root. From there names only go down, or into another link, of which the same is true. No order of entries and no
/// chain
/// of links changes that; so nothing has to be looked up, and nothing checked again later.
///
/// (Had `a/../..` been kept, with `a` a link made later, then the kernel would go up from where `a` leads.)
///
/// @param parts the place below the root; empty for the root
/// @param keepable whether the text has that form
record LinkPlace(List<Bytes> parts, boolean keepable) {
    private static final Bytes HERE = Bytes.utf8(".");
    private static final Bytes UP = Bytes.utf8("..");

    /// Empty where the text leaves the root, be it to come back. An absolute text starts at the holding directory, as
    /// with Argo CD.
    static Optional<LinkPlace> of(List<Bytes> directory, Bytes text) {
        List<Bytes> parts = new ArrayList<>(directory);
        boolean keepable = !text.isEmpty() && !LexicalPath.isAbsolute(text);
        boolean named = false;
        for (Bytes part : LexicalPath.parts(text)) {
            if (!LexicalPath.isUp(part)) {
                named = true;
                parts.add(part);
                continue;
            }
            keepable = keepable && !named;
            if (parts.isEmpty()) {
                return Optional.empty();
            }
            parts.removeLast();
        }
        return Optional.of(new LinkPlace(List.copyOf(parts), keepable));
    }

    boolean isRoot() {
        return parts.isEmpty();
    }

    /// The text that leads from `directory` to `place`: `..` as far as needed, then names.
    static Bytes relative(List<Bytes> directory, List<Bytes> place) {
        int same = 0;
        while (same < directory.size()
                && same < place.size()
                && directory.get(same).equals(place.get(same))) {
            same++;
        }
        List<Bytes> text = new ArrayList<>();
        for (int i = same; i < directory.size(); i++) {
            text.add(UP);
        }
        text.addAll(place.subList(same, place.size()));
        return text.isEmpty() ? HERE : LexicalPath.join(Bytes.EMPTY, text);
    }
}
