package dev.remora.git;

import dev.remora.process.Cancellation;

/// One repository of a run. Many threads may use it at once: what they need alike is asked and fetched once, and the
/// others wait for it.
public sealed interface GitRepository permits RemoteRepository, FolderRepository, CheckoutRepository {
    RepositoryUrl url();

    /// Who we are for its server.
    Access access();

    /// What a revision means, in Argo CD's order.
    ///
    /// @param tagPrefix the source's `tagPrefix`, or empty
    /// @throws dev.remora.fault.Fault GIT_REVISION, GIT_AMBIGUOUS, or why the server could not be asked
    Resolution resolve(String revision, String tagPrefix, Cancellation cancellation);

    /// The files at another revision than the one that is rendered, to be compared with it. For a local folder it is
    /// one of its own repository, by any name that git knows there.
    default RevisionTree at(String revision, String tagPrefix, Cancellation cancellation) {
        return tree(resolve(revision, tagPrefix, cancellation), cancellation);
    }

    /// The files of what was resolved, fetched if they are missing.
    RevisionTree tree(Resolution resolution, Cancellation cancellation);
}
