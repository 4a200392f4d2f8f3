package dev.remora.glob;

import dev.remora.glob.GlobTree.Kind;
import dev.remora.posix.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One walk of a [ZGlob] below its root.
///
/// Argo CD's walk visits everything and fails when any folder cannot be listed, even where another path has matched.
/// So only a tree that can always be listed is left at the first match, and only there are folders passed by below
/// which nothing can match.
final class ZGlobWalk {
    private static final byte[] SLASH = {'/'};

    private final GlobTree tree;
    private final Mask mask;
    private final Bytes root;
    private @Nullable Bytes first;
    private @Nullable String failure;

    ZGlobWalk(GlobTree tree, Mask mask, Bytes root) {
        this.tree = tree;
        this.mask = mask;
        this.root = root;
    }

    GlobResult from(Kind kind) {
        Mask.State state = mask.start().after(root.toArray());
        if (kind == Kind.DIRECTORY) {
            visit(root, state);
        } else if (state.accepts()) {
            first = root;
        }
        if (failure != null) {
            return new GlobResult.Failed(failure);
        }
        return first == null ? new GlobResult.Unmatched() : new GlobResult.Matched(first);
    }

    /// False ends the walk.
    private boolean visit(Bytes folder, Mask.State atFolder) {
        Mask.State state = atFolder.after(SLASH);
        Optional<String> unlistable = tree.list(folder, (name, kind) -> {
            Mask.State atName = state.after(name.toArray());
            if (atName.accepts() && first == null) {
                first = folder.slash(name);
            }
            return !finished() && (kind != Kind.DIRECTORY || enter(folder.slash(name), atName));
        });
        unlistable.ifPresent(reason -> failure = reason);
        return !finished();
    }

    private boolean enter(Bytes folder, Mask.State state) {
        boolean hopeless = tree.alwaysListable() && state.dead();
        boolean passed = !state.accepts() && mask.passesBy(folder);
        return hopeless || passed || visit(folder, state);
    }

    private boolean finished() {
        return failure != null || (first != null && tree.alwaysListable());
    }
}
