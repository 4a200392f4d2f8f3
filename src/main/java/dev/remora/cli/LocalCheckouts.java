package dev.remora.cli;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.git.RepositoryUrl;
import dev.remora.process.CommandRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which folders stand for repositories: those of `--repo`, and the current checkout for its remotes. With `--revision`
/// the current checkout only says which repository is meant, and that revision of it is fetched.
///
/// @param folders by repository
/// @param current the remotes of the current checkout
/// @param branch what is checked out there
/// @param revision of `--revision`
record LocalCheckouts(
        Map<RepositoryUrl, Path> folders, Set<RepositoryUrl> current, String branch, Optional<String> revision) {
    LocalCheckouts {
        folders = Map.copyOf(folders);
        current = Set.copyOf(current);
    }

    static LocalCheckouts of(SettingValues settings, CommandRunner runner, Console console) {
        Optional<String> revision = settings.optional(FolderSettings.REVISION);
        Path root = ApplicationSelection.root(console.directory());
        Map<RepositoryUrl, Path> folders = new LinkedHashMap<>();
        Set<RepositoryUrl> current = new HashSet<>();
        String branch = "";
        if (Files.exists(root.resolve(".git"))) {
            Checkout checkout = new Checkout(root, runner, console.own());
            checkout.remotes().forEach(url -> url(url).ifPresent(current::add));
            branch = checkout.branch();
            if (revision.isEmpty()) {
                current.forEach(url -> folders.put(url, root));
            }
        }
        for (String value : settings.list(ApplicationSettings.REPO)) {
            int equals = value.lastIndexOf('=');
            if (equals <= 0 || equals == value.length() - 1) {
                throw new Fault(FaultCode.USAGE, "--repo: \"" + value + "\" is not of the form URL=FOLDER");
            }
            Path folder =
                    console.directory().resolve(value.substring(equals + 1)).normalize();
            if (!Files.isDirectory(folder)) {
                throw new Fault(FaultCode.USAGE, "--repo: " + value.substring(equals + 1) + " is no folder");
            }
            folders.put(RepositoryUrl.of(value.substring(0, equals)), folder);
        }
        return new LocalCheckouts(folders, current, branch, revision);
    }

    /// A remote may be a relative path or something else that no Application names.
    private static Optional<RepositoryUrl> url(String text) {
        try {
            return Optional.of(RepositoryUrl.of(text));
        } catch (Fault notOne) {
            return Optional.empty();
        }
    }

    /// `--revision` is of the current checkout's repository where a source has it, else of every source.
    String revisionOf(ApplicationSource source, boolean anyIsCurrent) {
        return revision.filter(asked -> !anyIsCurrent || isCurrent(source)).orElse(source.targetRevision());
    }

    boolean isCurrent(ApplicationSource source) {
        return url(source.repoUrl()).filter(current::contains).isPresent();
    }

    /// Where the working tree is rendered although the Application pins something else.
    Optional<String> pinned(ApplicationSource source) {
        String target = source.targetRevision();
        boolean follows = List.of("", "HEAD", branch, "refs/heads/" + branch).contains(target);
        boolean mapped = url(source.repoUrl()).filter(folders::containsKey).isPresent();
        return follows || !mapped
                ? Optional.empty()
                : Optional.of("the working tree stands for " + source.repoUrl() + ", though targetRevision is " + target
                        + "; --revision " + target + " renders that");
    }
}
