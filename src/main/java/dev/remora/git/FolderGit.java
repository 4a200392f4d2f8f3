package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Cancellation;
import dev.remora.process.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Asks the repository of a local folder.
///
/// @param url the repository that the folder stands for, for messages
record FolderGit(GitWork work, RepositoryUrl url, Path folder) {
    /// The folder's `.git`, wherever that really is.
    Optional<Path> own(Path real, Cancellation cancellation) {
        GitProgram.Call call = call(
                List.of("-C", real.toString(), "rev-parse", "--show-cdup", "--absolute-git-dir"), work.forFolder());
        Outcome outcome = work.program().run(call, cancellation);
        if (outcome instanceof Outcome.Exited exited && exited.status() == 0) {
            String[] lines = new String(exited.output().stdout(), StandardCharsets.UTF_8).split("\n", -1);
            if (!lines[0].isEmpty()) {
                throw new Fault(
                        FaultCode.GIT_TREE,
                        folder + " lies within a repository whose root is "
                                + real.resolve(lines[0]).normalize() + "; name that folder for " + url);
            }
            return Optional.of(Path.of(lines[1]));
        }
        if (outcome instanceof Outcome.Exited exited && exited.output().stderr().contains("not a git repository")) {
            return Optional.empty();
        }
        throw GitFaults.of(call.what(), outcome);
    }

    GitProgram.Call call(List<String> arguments, GitEnvironment environment) {
        return new GitProgram.Call(
                "read the folder " + folder,
                arguments,
                environment,
                work.times().local());
    }

    /// By any name that git knows there; empty where it knows none.
    Optional<CommitId> commit(Path repository, String revision, Cancellation cancellation) {
        GitProgram.Call call = call(
                List.of(
                        "--git-dir=" + repository,
                        "rev-parse",
                        "--verify",
                        "--quiet",
                        "--end-of-options",
                        revision + "^{commit}"),
                work.forFolder());
        return work.program().run(call, cancellation) instanceof Outcome.Exited exited && exited.status() == 0
                ? Optional.of(new CommitId(new String(exited.output().stdout(), StandardCharsets.US_ASCII).strip()))
                : Optional.empty();
    }
}
