package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.Command;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessTree;
import dev.remora.process.TimeLimit;
import dev.remora.process.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Runs the `git` program: each command is a process tree of its own, with time and output limited, without a
/// terminal and with an empty standard input.
///
/// Arguments come from the code; what came from an Application stands behind `--` or `--end-of-options`, or was
/// checked by the type that carries it.
final class GitProgram {
    /// A list of a million files with long names; more is refused.
    static final long MOST_OUTPUT = 256L << 20;

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final CommandRunner commands;
    private final Bytes directory;

    /// @param directory where commands run; any that exists
    GitProgram(CommandRunner commands, Bytes directory) {
        this.commands = commands;
        this.directory = directory;
    }

    /// One command.
    ///
    /// @param what for messages: `list the refs of https://…`
    record Call(String what, List<String> arguments, GitEnvironment environment, Duration time) {
        Call {
            arguments = List.copyOf(arguments);
        }
    }

    /// Runs to the end, whatever it is.
    Outcome run(Call call, Cancellation cancellation) {
        return run(call, "git", call.arguments(), cancellation);
    }

    /// As [#run], with new files and folders as Argo CD's are: readable for all, whatever our own mask is.
    Outcome runWithPlainModes(Call call, Cancellation cancellation) {
        List<String> arguments = new ArrayList<>(List.of("-c", "umask 022 && exec git \"$@\"", "git"));
        arguments.addAll(call.arguments());
        return run(call, "/bin/sh", arguments, cancellation);
    }

    private Outcome run(Call call, String program, List<String> arguments, Cancellation cancellation) {
        List<Bytes> argv = new ArrayList<>();
        argv.add(Bytes.utf8(program));
        arguments.forEach(argument -> argv.add(Bytes.utf8(argument)));
        Command command = new Command(argv, call.environment().assignments(), directory);
        TimeLimit limit = TimeLimit.after("git's time", call.time(), System.nanoTime(), "--git-timeout");
        TimeLimits time = new TimeLimits(List.of(limit), GRACE, OptionalLong.empty());
        try (ProcessTree tree = commands.open("git", CommandLimits.ofOutput(MOST_OUTPUT))) {
            return tree.runLast(command, time, cancellation);
        }
    }

    /// What it printed.
    ///
    /// @throws Fault where it did not end with 0
    byte[] output(Call call, Cancellation cancellation) {
        return checked(call, run(call, cancellation));
    }

    static byte[] checked(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Exited exited && exited.status() == 0) {
            return exited.output().stdout();
        }
        throw GitFaults.of(call.what(), outcome);
    }

    /// @throws Fault GIT_PROGRAM where git is absent or older than 2.36, the first that takes `safe.directory` from a
    ///     command
    void requireVersion(GitEnvironment environment, Duration time) {
        Call call = new Call("ask git for its version", List.of("version"), environment, time);
        Outcome outcome = run(call, new Cancellation());
        if (outcome instanceof Outcome.NotStarted notStarted) {
            throw new Fault(
                    FaultCode.GIT_PROGRAM,
                    "git cannot be started: " + notStarted.text() + "; install git 2.36 or newer");
        }
        String text = new String(checked(call, outcome), java.nio.charset.StandardCharsets.UTF_8).strip();
        java.util.regex.Matcher version = java.util.regex.Pattern.compile("git version (\\d{1,4})\\.(\\d{1,4}).*")
                .matcher(text);
        if (!version.matches()
                || Integer.parseInt(version.group(1)) * 10_000 + Integer.parseInt(version.group(2)) < 2_0036) {
            throw new Fault(FaultCode.GIT_PROGRAM, "this is \"" + text + "\"; git 2.36 or newer is needed");
        }
    }
}
