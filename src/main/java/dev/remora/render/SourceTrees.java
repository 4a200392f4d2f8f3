package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.git.GitRepositories;
import dev.remora.git.GitRepository;
import dev.remora.git.LoginLoans;
import dev.remora.git.RecycledTrees;
import dev.remora.git.RepositoryUrl;
import dev.remora.git.Resolution;
import dev.remora.git.RevisionTree;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Lends the files of sources. Threads may share it: what several want is resolved, fetched and laid out once.
public final class SourceTrees {
    private final GitRepositories repositories;
    private final RecycledTrees trees;
    private final Function<ApplicationSource, String> revisions;
    private final Map<RevisionTree, List<Bytes>> changed = new ConcurrentHashMap<>();
    private final SentFiles files = new SentFiles();

    /// Trees of sources.
    ///
    /// @param revisions which revision of a source is meant: its `targetRevision`, unless another was asked for
    public SourceTrees(
            GitRepositories repositories, RecycledTrees trees, Function<ApplicationSource, String> revisions) {
        this.repositories = repositories;
        this.trees = trees;
        this.revisions = revisions;
    }

    /// The files of a source, laid out at its revision.
    ///
    /// @param project the Application's, which decides between credentials of one repository
    /// @throws dev.remora.fault.Fault where the repository, the revision or its files cannot be had
    public SourceTree lend(ApplicationSource source, String project, Cancellation cancellation) {
        return lend(source, project, cancellation, tree -> trees.lend(tree, cancellation));
    }

    /// The files of a source at another revision, to be compared and not laid out.
    public RevisionTree at(ApplicationSource source, String revision, String project, Cancellation cancellation) {
        return repositories
                .repository(RepositoryUrl.of(source.repoUrl()), project)
                .at(revision, source.tagPrefix(), cancellation);
    }

    /// As [#lend], for one reader alone: nothing that he does reaches others.
    SourceTree lendAlone(ApplicationSource source, String project, Cancellation cancellation) {
        return lend(source, project, cancellation, tree -> trees.lendAlone(tree, cancellation));
    }

    private SourceTree lend(
            ApplicationSource source,
            String project,
            Cancellation cancellation,
            Function<RevisionTree, RecycledTrees.Lent> way) {
        GitRepository repository = repositories.repository(RepositoryUrl.of(source.repoUrl()), project);
        Resolution resolution = repository.resolve(revisions.apply(source), source.tagPrefix(), cancellation);
        RevisionTree tree = repository.tree(resolution, cancellation);
        RecycledTrees.Lent lent = way.apply(tree);
        try {
            return new SourceTree(
                    resolution, tree, lent, changed.computeIfAbsent(tree, key -> key.changed(cancellation)));
        } catch (RuntimeException e) {
            lent.close();
            throw e;
        }
    }

    /// What is known of the files of all trees.
    SentFiles files() {
        return files;
    }

    /// What a plugin may borrow for this source.
    LoginLoans loans(ApplicationSource source, String project) {
        return repositories.loans(RepositoryUrl.of(source.repoUrl()), project);
    }
}
