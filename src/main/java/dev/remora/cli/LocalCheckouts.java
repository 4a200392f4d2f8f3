package dev.remora.cli;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.git.RepositoryUrl;
import dev.remora.process.CommandRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which folders stand for repositories: those of `--repo`, and the current checkout for its remotes. With `--revision`
/// the current checkout says which repository is meant, and lends its commits; its files as they are do not matter.
///
/// @param folders by repository
/// @param current the current checkout, by its remotes
/// @param branch what is checked out there
/// @param revision of `--revision`
record LocalCheckouts(
        Map<RepositoryUrl, Path> folders, Map<RepositoryUrl, Path> current, String branch, Optional<String> revision) {
    LocalCheckouts {
        folders = Map.copyOf(folders);
        current = Map.copyOf(current);
    }

    static LocalCheckouts of(SettingValues settings, CommandRunner runner, Console console) {
        Optional<String> revision = settings.optional(FolderSettings.REVISION);
        Path root = ApplicationSelection.root(console.directory());
        Map<RepositoryUrl, Path> folders = new LinkedHashMap<>();
        Map<RepositoryUrl, Path> current = new LinkedHashMap<>();
        String branch = "";
        if (Files.exists(root.resolve(".git"))) {
            Checkout checkout = new Checkout(root, runner, console.own());
            checkout.remotes().forEach(url -> url(url).ifPresent(known -> current.put(known, root)));
            branch = checkout.branch();
            if (revision.isEmpty()) {
                folders.putAll(current);
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
        return url(source.repoUrl()).filter(current::containsKey).isPresent();
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
