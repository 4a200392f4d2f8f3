package dev.remora.git;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.List;

/// One file, link or submodule of a commit.
///
/// @param path from the repository's root
/// @param object its content's id: equal ids are equal contents
/// @param size in bytes, 0 for a submodule
public record TreeEntry(Bytes path, Type type, String object, long size) {
    /// What an entry is.
    public enum Type {
        FILE,
        EXECUTABLE,
        LINK,
        SUBMODULE
    }

    /// Reads what `git ls-tree -r -z -l` prints: `100644 blob ID  SIZE<tab>PATH<nul>`.
    static List<TreeEntry> parse(byte[] listing) {
        List<TreeEntry> entries = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < listing.length; at++) {
            if (listing[at] == 0) {
                entries.add(one(listing, from, at));
                from = at + 1;
            }
        }
        return List.copyOf(entries);
    }

    private static TreeEntry one(byte[] listing, int from, int to) {
        int tab = from;
        while (listing[tab] != '\t') {
            tab++;
        }
        String[] fields =
                new String(listing, from, tab - from, java.nio.charset.StandardCharsets.US_ASCII).split(" +", -1);
        Type type = switch (fields[0]) {
            case "120000" -> Type.LINK;
            case "160000" -> Type.SUBMODULE;
            case "100755" -> Type.EXECUTABLE;
            default -> Type.FILE;
        };
        long size = fields[3].equals("-") ? 0 : Long.parseLong(fields[3]);
        return new TreeEntry(Bytes.of(listing, tab + 1, to), type, fields[2], size);
    }
}
