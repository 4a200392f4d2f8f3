package dev.remora.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real repository that a test writes to, by the git program.
public final class SourceRepository {
    private final Path folder;

    private SourceRepository(Path folder) {
        this.folder = folder;
    }

    /// A new one with the branch `main` and nothing in it.
    public static SourceRepository in(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SourceRepository made = new SourceRepository(folder);
        made.git("init", "-q", "-b", "main", ".");
        return made;
    }

    public Path folder() {
        return folder;
    }

    public String url() {
        return "file://" + folder;
    }

    /// Writes a file, not yet committed.
    public SourceRepository write(String path, String content) {
        try {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Commits everything.
    public CommitId commit(String message) {
        git("add", "-A");
        git("commit", "-q", "--allow-empty", "-m", message);
        return head();
    }

    public CommitId head() {
        return new CommitId(git("rev-parse", "HEAD"));
    }

    public String git(String... arguments) {
        return run(folder, "", arguments);
    }

    public String gitWithInput(String input, String... arguments) {
        return run(folder, input, arguments);
    }

    private static String run(Path folder, String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
            builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
            builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
            builder.environment().put("GIT_AUTHOR_NAME", "A");
            builder.environment().put("GIT_AUTHOR_EMAIL", "a@example.com");
            builder.environment().put("GIT_COMMITTER_NAME", "A");
            builder.environment().put("GIT_COMMITTER_EMAIL", "a@example.com");
            Path errors = Files.createTempFile("git-test", ".err");
            builder.redirectError(errors.toFile());
            Process process = builder.start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            String stderr = Files.readString(errors);
            Files.delete(errors);
            if (status != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + stderr);
            }
            return output.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
