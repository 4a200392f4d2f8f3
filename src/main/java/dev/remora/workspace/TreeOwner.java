package dev.remora.workspace;

import dev.remora.posix.Bytes;
import java.util.Optional;

/// For whom a tree is unpacked. A tree never passes from one owner to another.
///
/// @param repository the repository's URL; empty when the caller does not say
/// @param project the AppProject; empty when the caller does not say
public record TreeOwner(Optional<Bytes> repository, Optional<Bytes> project) {
    public static final TreeOwner UNKNOWN = new TreeOwner(Optional.empty(), Optional.empty());

    public TreeOwner {
        if (repository.isEmpty() || project.isEmpty()) {
            // Half of the answer is none: whatever is said then, only an archive's checksum tells a tree.
            repository = Optional.empty();
            project = Optional.empty();
        }
    }

    /// As a record's own, which the quick compiler makes slow: every call compares.
    @Override
    public boolean equals(Object other) {
        return other instanceof TreeOwner owner && repository.equals(owner.repository) && project.equals(owner.project);
    }

    @Override
    public int hashCode() {
        return 31 * repository.hashCode() + project.hashCode();
    }

    public static TreeOwner of(Bytes repository, Bytes project) {
        return new TreeOwner(Optional.of(repository), Optional.of(project));
    }

    public boolean known() {
        return repository.isPresent();
    }
}
