package dev.remora.cli;

import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.Command;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessTree;
import dev.remora.process.TimeLimit;
import dev.remora.process.TimeLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// What a folder's checkout says of itself, by asking git. Where there is no git, or no repository, nothing is known
/// and
/// everything is empty: a render does not need it.
final class Checkout {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final long MOST_BYTES = 64 << 10;

    private final Path folder;
    private final CommandRunner runner;
    private final CommandEnvironment own;

    Checkout(Path folder, CommandRunner runner, CommandEnvironment own) {
        this.folder = folder;
        this.runner = runner;
        this.own = own;
    }

    /// The commit that is checked out.
    String revision() {
        return ask("rev-parse", "HEAD");
    }

    /// The URL of the remote `origin`.
    String remote() {
        return ask("config", "--get", "remote.origin.url");
    }

    /// The URLs of all remotes.
    List<String> remotes() {
        return ask("config", "--get-regexp", "^remote\\..*\\.url$")
                .lines()
                .map(line -> line.substring(line.indexOf(' ') + 1).strip())
                .toList();
    }

    /// The branch that is checked out; empty for a detached HEAD.
    String branch() {
        return ask("symbolic-ref", "--short", "-q", "HEAD");
    }

    private String ask(String... words) {
        List<Bytes> argv = new java.util.ArrayList<>(List.of(Bytes.utf8("git")));
        for (String word : words) {
            argv.add(Bytes.utf8(word));
        }
        Command command = new Command(argv, own.with(List.of(), name -> true), Bytes.utf8(folder.toString()));
        TimeLimits time = new TimeLimits(
                List.of(TimeLimit.after("git", LONGEST, System.nanoTime(), "nothing")),
                Duration.ofSeconds(1),
                OptionalLong.empty());
        try (ProcessTree tree = runner.open("checkout", CommandLimits.ofOutput(MOST_BYTES))) {
            return tree.run(command, time, new Cancellation()) instanceof Outcome.Exited exited && exited.status() == 0
                    ? new String(exited.output().stdout(), StandardCharsets.UTF_8).strip()
                    : "";
        }
    }
}
