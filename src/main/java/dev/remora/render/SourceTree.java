package dev.remora.render;

import dev.remora.git.CommitId;
import dev.remora.git.LaidOut;
import dev.remora.git.RecycledTrees;
import dev.remora.git.Resolution;
import dev.remora.git.RevisionTree;
import dev.remora.posix.Bytes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The files of one source, laid out as Argo CD's checkout would be, without a `.git`. Others may read the same folder;
/// nobody writes into it.
///
/// @param changed files of a local folder that are not committed as they are
public record SourceTree(Resolution resolution, RevisionTree tree, RecycledTrees.Lent lent, List<Bytes> changed)
        implements AutoCloseable {
    public SourceTree {
        changed = List.copyOf(changed);
    }

    /// Absolute.
    public Path folder() {
        return lent.folder();
    }

    public LaidOut laidOut() {
        return lent.laidOut();
    }

    /// Equal ids are equal files.
    public String id() {
        return tree.id();
    }

    /// Of a local folder the one that is checked out, if any.
    public Optional<CommitId> commit() {
        return tree.commit();
    }

    /// The revision that plugins are told: an element of `sources` keeps a short commit id, or the capitals of a full
    /// one; a single `source` gets the commit's full id.
    public String revision(boolean several) {
        return several ? resolution.answered() : commit().map(CommitId::hex).orElse(resolution.answered());
    }

    /// What a host is asked about.
    public SourceFolder sent(List<String> exclusions) {
        return new SourceFolder(Bytes.utf8(folder().toString()), exclusions);
    }

    @Override
    public void close() {
        lent.close();
    }
}
