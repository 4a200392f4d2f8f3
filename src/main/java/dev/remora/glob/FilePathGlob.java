package dev.remora.glob;

import dev.remora.glob.GlobTree.Look;
import dev.remora.posix.Bytes;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Go's `filepath.Glob`: a pattern on a tree, folder by folder, through links to folders. Whatever cannot be read
/// counts as empty; only a malformed pattern fails, and only where Go comes to notice it.
public final class FilePathGlob {
    /// As Go has it, against patterns that nest too deep.
    private static final int MAX_SEPARATORS = 10_000;

    private static final String META = "*?[\\";

    private final GlobTree tree;
    private final List<FilePathPattern> segments;
    private final boolean wellFormed;
    private boolean malformed;
    private @Nullable Bytes first;

    private FilePathGlob(GlobTree tree, List<Bytes> segments) {
        this.tree = tree;
        this.segments = segments.stream().map(FilePathPattern::of).toList();
        this.wellFormed = this.segments.stream().allMatch(FilePathPattern::wellFormed);
    }

    /// Whether the whole `name` matches; a malformed pattern matches nothing.
    public static boolean match(String pattern, String name) {
        return FilePathPattern.of(Bytes.utf8(pattern)).match(Bytes.utf8(name)) == FilePathPattern.Answer.YES;
    }

    /// What the absolute, clean `pattern` finds.
    public static GlobResult glob(Bytes pattern, GlobTree tree) {
        var wild = new ArrayDeque<Bytes>();
        Bytes fixed = pattern;
        while (hasMeta(fixed)) {
            boolean tooDeep = wild.size() == MAX_SEPARATORS;
            if (tooDeep || FilePathPattern.of(fixed).match(Bytes.EMPTY) == FilePathPattern.Answer.MALFORMED) {
                return new GlobResult.Failed(FilePathPattern.SYNTAX_ERROR);
            }
            int slash = fixed.lastIndexOf((byte) '/');
            wild.addFirst(fixed.slice(slash + 1, fixed.length()));
            fixed = slash == 0 ? CleanPath.ROOT : fixed.slice(0, slash);
        }
        if (wild.isEmpty()) {
            return tree.lstat(fixed) instanceof Look.Found ? new GlobResult.Matched(fixed) : new GlobResult.Unmatched();
        }
        return new FilePathGlob(tree, List.copyOf(wild)).walk(fixed);
    }

    private GlobResult walk(Bytes directory) {
        descend(directory, 0);
        if (malformed) {
            return new GlobResult.Failed(FilePathPattern.SYNTAX_ERROR);
        }
        return first == null ? new GlobResult.Unmatched() : new GlobResult.Matched(first);
    }

    /// Goes on until something malformed is met, or until the first match where nothing malformed can be met.
    private boolean descend(Bytes directory, int level) {
        if (tree.isDirectory(directory)) {
            FilePathPattern pattern = segments.get(level);
            tree.list(directory, (name, kind) -> switch (pattern.match(name)) {
                case YES -> taken(CleanPath.join(directory, name), level);
                case NO -> true;
                case MALFORMED -> {
                    malformed = true;
                    yield false;
                }
            });
        }
        return !malformed && (first == null || !wellFormed);
    }

    private boolean taken(Bytes path, int level) {
        if (level + 1 < segments.size()) {
            return descend(path, level + 1);
        }
        if (first == null) {
            first = path;
        }
        return !wellFormed;
    }

    private static boolean hasMeta(Bytes pattern) {
        for (int i = 0; i < pattern.length(); i++) {
            if (META.indexOf(pattern.at(i)) >= 0) {
                return true;
            }
        }
        return false;
    }
}
