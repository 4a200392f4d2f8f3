package dev.remora.git;

import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandRunner;
import dev.remora.process.ProcessSettings;
import dev.remora.testing.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// One run of git as a command has it, with its cache and its home below a test's folder.
final class GitRun implements AutoCloseable {
    private final Path root;
    private final CommandRunner commands;
    private final GitRepositories repositories;

    private GitRun(Path root, CommandRunner commands, GitRepositories repositories) {
        this.root = root;
        this.commands = commands;
        this.repositories = repositories;
    }

    static GitRun in(Path root) {
        return in(root, options -> options);
    }

    static GitRun in(Path root, UnaryOperator<GitOptions> change) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", Tools.path());
        environment.put("HOME", root.resolve("home").toString());
        return in(root, environment, change);
    }

    static GitRun in(Path root, Map<String, String> environment, UnaryOperator<GitOptions> change) {
        try {
            Files.createDirectories(root.resolve("home"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CommandRunner commands = CommandRunner.open(ProcessSettings.standard(Bytes.utf8(Tools.path())));
        GitOptions options =
                GitOptions.ofThisUser(environment).withCache(root.resolve("cache"), GitOptions.CACHE_BYTES);
        return new GitRun(root, commands, GitRepositories.open(change.apply(options), commands));
    }

    GitRepositories repositories() {
        return repositories;
    }

    GitRepository repository(String url) {
        return repositories.repository(RepositoryUrl.of(url), "default");
    }

    RevisionTree tree(String url, String revision) {
        GitRepository repository = repository(url);
        return repository.tree(repository.resolve(revision, "", new Cancellation()), new Cancellation());
    }

    /// Lays it out below the root, in `tree`.
    LaidOut layOut(String url, String revision) {
        return layOut(tree(url, revision));
    }

    LaidOut layOut(RevisionTree tree) {
        try {
            Files.createDirectories(folder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tree.layOut(
                Bytes.utf8(folder().toString()),
                Bytes.utf8(root.resolve("state").toString()),
                new Cancellation());
    }

    Path folder() {
        return root.resolve("tree");
    }

    /// Every path in the folder with its mode and content, links with their text.
    static Map<String, String> contents(Path folder) {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                all.put(folder.relativize(path).toString(), content(path));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String content(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return "-> " + Files.readSymbolicLink(path);
        }
        Object mode = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        String octal = Integer.toOctalString((Integer) mode & 07777);
        return Files.isDirectory(path) ? octal : octal + " " + Files.readString(path, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        repositories.close();
        commands.close();
    }
}
