package dev.remora.render;

import dev.remora.archive.ArchiveLimits;
import dev.remora.archive.EntryFilter;
import dev.remora.cache.Fingerprint;
import dev.remora.cache.Remembered;
import dev.remora.git.RevisionTree;
import dev.remora.git.TreeEntry;
import dev.remora.glob.DoubleStarPattern;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.process.Cancellation;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A digest of the files that a plugin gets of a tree: equal digests are equal files, by Git's own object ids, so that
/// nothing is read for it.
///
/// Beside the files themselves it counts what decides how they come out on disk: every `.gitattributes`, every
/// submodule, and which large files are there as pointers only. Links always count, wherever they lie.
///
/// Threads may share it.
final class SentFiles {
    /// Each costs its digest and its key.
    private static final int MOST_REMEMBERED = 16_384;
    /// Trees whose files are held in order; each costs as much as its list.
    private static final int MOST_ORDERED = 4;

    /// In an archive, padding included.
    private static final long HEADER = 1024;
    /// Line ends and encodings may make a file larger than its object.
    private static final long CONVERTED = 2;

    private static final Bytes ATTRIBUTES = Bytes.utf8(".gitattributes");
    /// Behind every name that begins with a folder's and a slash.
    private static final Bytes BEHIND = Bytes.utf8("0");

    private final Remembered<String> known = new Remembered<>(MOST_REMEMBERED);
    private final Remembered<Ordered> ordered = new Remembered<>(MOST_ORDERED);

    /// A tree's files by path.
    ///
    /// @param always the digest of what counts whatever is sent
    private record Ordered(NavigableMap<Bytes, TreeEntry> files, String always, Shape shape) {}

    /// How large a tree is.
    ///
    /// @param entries files and folders
    /// @param bytes of files, with what an archive adds to each entry
    /// @param closed whether nothing of another repository lies in it
    private record Shape(long entries, long bytes, int longestName, int deepest, boolean closed) {}

    /// The digest of what `narrowed` would be sent.
    ///
    /// @param narrowed the request as generation gets it
    /// @param inputs what the definition lets through of it
    String digest(SourceTree tree, RenderRequest narrowed, EntryFilter inputs, Cancellation cancellation) {
        Bytes root = Bytes.utf8(tree.folder().toString());
        Bytes sent = narrowed.folder().root();
        Bytes below = sent.equals(root) ? Bytes.EMPTY : sent.slice(root.length() + 1, sent.length());
        String question = new Fingerprint()
                .add(tree.id())
                .add(below)
                .add(narrowed.folder().exclusions().toString())
                .add(narrowed.folder().listed().toString())
                .add(inputs.key())
                .add(tree.laidOut().pointers().toString())
                .hex();
        return known.find(question).orElseGet(() -> {
            String made = digest(tree, below, narrowed.folder(), inputs, cancellation);
            known.put(question, made);
            return made;
        });
    }

    private String digest(
            SourceTree tree, Bytes below, SourceFolder folder, EntryFilter inputs, Cancellation cancellation) {
        Ordered all = ordered(tree, cancellation);
        Fingerprint digest = new Fingerprint().add(below).add(all.always());
        tree.laidOut().pointers().forEach(pointer -> digest.add("pointer").add(pointer));
        ways(below, inputs)
                .flatMap(way -> below(way, all.files()))
                .distinct()
                .filter(entry -> counts(entry, below, folder, inputs))
                .forEach(entry -> add(entry, digest));
        return digest.hex();
    }

    /// Whether an archive of the whole tree would be within the limits for certain.
    boolean fits(SourceTree tree, ArchiveLimits limits, Cancellation cancellation) {
        Shape shape = ordered(tree, cancellation).shape();
        return shape.closed()
                && shape.entries() > 0
                && isBelow(shape.entries(), limits.files())
                && isBelow(CONVERTED * shape.bytes(), limits.unpacked())
                && isBelow(shape.longestName(), limits.nameLength())
                && isBelow(shape.deepest(), limits.depth());
    }

    private static boolean isBelow(long value, long limit) {
        return limit == 0 || value <= limit;
    }

    private Ordered ordered(SourceTree tree, Cancellation cancellation) {
        return ordered.find(tree.id()).orElseGet(() -> {
            Ordered made = ordered(tree.tree(), cancellation);
            ordered.put(tree.id(), made);
            return made;
        });
    }

    private static Ordered ordered(RevisionTree tree, Cancellation cancellation) {
        NavigableMap<Bytes, TreeEntry> files = new TreeMap<>();
        Fingerprint always = new Fingerprint();
        Set<Bytes> folders = new HashSet<>();
        long bytes = 0;
        int longest = 0;
        int deepest = 0;
        boolean closed = true;
        for (TreeEntry entry : tree.entries(cancellation)) {
            List<Bytes> parts = LexicalPath.parts(entry.path());
            for (int depth = parts.size() - 1;
                    depth > 0 && folders.add(LexicalPath.join(Bytes.EMPTY, parts.subList(0, depth)));
                    depth--) {
                bytes += HEADER;
            }
            bytes += HEADER + entry.size();
            longest = Math.max(longest, entry.path().length());
            deepest = Math.max(deepest, parts.size());
            closed &= entry.type() != TreeEntry.Type.SUBMODULE;
            if (countsAlways(entry)) {
                add(entry, always);
            } else {
                files.put(entry.path(), entry);
            }
        }
        long entries = (long) tree.entries(cancellation).size() + folders.size();
        return new Ordered(files, always.hex(), new Shape(entries, bytes, longest, deepest, closed));
    }

    private static boolean countsAlways(TreeEntry entry) {
        Bytes path = entry.path();
        return entry.type() == TreeEntry.Type.SUBMODULE
                || entry.type() == TreeEntry.Type.LINK
                || path.slice(path.lastIndexOf((byte) '/') + 1, path.length()).equals(ATTRIBUTES);
    }

    private static void add(TreeEntry entry, Fingerprint digest) {
        digest.add(entry.path()).add(entry.type().name()).add(entry.object());
    }

    /// The places, from the root, below which all lies that the patterns can want.
    private static Stream<Bytes> ways(Bytes below, EntryFilter inputs) {
        return inputs.all()
                ? Stream.of(below)
                : inputs.patterns().stream()
                        .map(DoubleStarPattern::way)
                        .map(way -> LexicalPath.join(below, way))
                        .distinct();
    }

    private static Stream<TreeEntry> below(Bytes way, NavigableMap<Bytes, TreeEntry> files) {
        if (way.isEmpty()) {
            return files.values().stream();
        }
        Collection<TreeEntry> inFolder = files.subMap(way.slash(Bytes.EMPTY), true, way.plus(BEHIND), false)
                .values();
        return Stream.concat(Stream.ofNullable(files.get(way)), inFolder.stream());
    }

    private static boolean counts(TreeEntry entry, Bytes below, SourceFolder folder, EntryFilter inputs) {
        Bytes path = below.isEmpty()
                ? entry.path()
                : entry.path().slice(below.length() + 1, entry.path().length());
        return inputs.wants(path)
                && !isLeftOut(path, folder)
                && !folder.selection().isOnlyStep(path);
    }

    /// With a folder above it, or by its own name.
    private static boolean isLeftOut(Bytes path, SourceFolder folder) {
        if (folder.exclusions().isEmpty() && folder.listed().isEmpty()) {
            return false;
        }
        List<Bytes> parts = LexicalPath.parts(path);
        for (int depth = 1; depth <= parts.size(); depth++) {
            if (folder.selection().leavesOut(LexicalPath.join(Bytes.EMPTY, parts.subList(0, depth)))) {
                return true;
            }
        }
        return false;
    }
}
