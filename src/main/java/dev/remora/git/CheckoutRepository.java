package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// A repository on a server of which somebody has a checkout, whose commits need not be on the server yet.
///
/// A commit's id means the same in both, so the checkout is asked first. A name means what the server says, as for
/// Argo CD; only what the server does not know (`HEAD~2`, a branch that was not pushed) is looked for in the checkout.
final class CheckoutRepository implements GitRepository, AutoCloseable {
    private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{4,64}");

    private final RemoteRepository server;
    private final FolderRepository checkout;
    private final FolderGit git;

    CheckoutRepository(GitWork work, GitRepositories all, RemoteRepository server, Path folder) {
        this.server = server;
        this.checkout = new FolderRepository(work, server.url(), folder, server.access(), all);
        this.git = new FolderGit(work, server.url(), folder);
    }

    @Override
    public RepositoryUrl url() {
        return server.url();
    }

    @Override
    public Access access() {
        return server.access();
    }

    @Override
    public Resolution resolve(String revision, String tagPrefix, Cancellation cancellation) {
        Optional<Resolution> known = ID.matcher(revision).matches() ? here(revision, cancellation) : Optional.empty();
        if (known.isPresent()) {
            return known.get();
        }
        try {
            return server.resolve(revision, tagPrefix, cancellation);
        } catch (Fault fault) {
            if (fault.code() != FaultCode.GIT_REVISION) {
                throw fault;
            }
            return here(revision, cancellation).orElseThrow(() -> fault);
        }
    }

    private Optional<Resolution> here(String revision, Cancellation cancellation) {
        return git.own(git.folder(), cancellation)
                .flatMap(repository -> git.commit(repository, revision, cancellation))
                .map(commit -> new Resolution(
                        revision, commit.hex(), Optional.of(commit), Resolution.Rule.CHECKOUT, Optional.empty()));
    }

    @Override
    public RevisionTree tree(Resolution resolution, Cancellation cancellation) {
        return resolution.rule() == Resolution.Rule.CHECKOUT
                ? checkout.at(resolution.answered(), "", cancellation)
                : server.tree(resolution, cancellation);
    }

    @Override
    public void close() {
        checkout.close();
        server.close();
    }
}
