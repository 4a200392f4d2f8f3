package dev.remora.cli;

import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.Command;
import dev.remora.process.CommandLimits;
import dev.remora.process.CommandRunner;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessSettings;
import dev.remora.process.ProcessTree;
import dev.remora.process.TimeLimit;
import dev.remora.process.TimeLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The programs that Remora and its users' plugins run: whether they are there, and which version they say they are.
/// All are asked at once, since some take a second to say it.
final class ToolChecks {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final long MOST_BYTES = 64 << 10;
    private static final Pattern VERSION =
            Pattern.compile("\\d{1,6}\\.\\d{1,6}(?:\\.\\d{1,6})?(?:[-+][0-9A-Za-z.+-]{1,40})?");
    /// The first git that takes `safe.directory` from a command.
    private static final int GIT_MAJOR = 2;

    private static final int GIT_MINOR = 36;

    private final Console console;

    ToolChecks(Console console) {
        this.console = console;
    }

    /// @param use who needs it
    /// @param install how it is had
    private record Tool(String name, List<String> asked, String use, String install) {}

    private static final List<Tool> TOOLS = List.of(
            new Tool(
                    "git",
                    List.of("version"),
                    "render cannot tell a folder's revision, nor fetch a repository",
                    "install git (apt-get install git), or give --revision and --repo-url"),
            new Tool("kapitan", List.of("--version"), "only kapitan plugins need it", "pip install kapitan"),
            new Tool(
                    "helm",
                    List.of("version", "--short"),
                    "only helm plugins need it",
                    "see https://helm.sh/docs/intro/install"),
            new Tool(
                    "kustomize",
                    List.of("version"),
                    "only kustomize plugins need it",
                    "go install sigs.k8s.io/kustomize/kustomize/v5@latest"),
            new Tool(
                    "sops",
                    List.of("--version"),
                    "only plugins that open encrypted files need it",
                    "go install github.com/getsops/sops/v3/cmd/sops@latest"),
            new Tool("cue", List.of("version"), "only cue plugins need it", "go install cuelang.org/go/cmd/cue@latest"),
            new Tool(
                    "gpg", List.of("--version"), "only files encrypted for PGP keys need it", "apt-get install gnupg"));

    List<Check> look() {
        ProcessSettings settings = ProcessSettings.standard(
                        console.own().value("PATH").orElse(Bytes.EMPTY))
                .with(ProcessSettings.Ending.WHOLE_TREE, false);
        try (CommandRunner runner = CommandRunner.open(settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Check>> asked = new ArrayList<>();
            for (Tool tool : TOOLS) {
                asked.add(threads.submit(() -> check(runner, tool)));
            }
            return asked.stream().map(ToolChecks::answer).toList();
        }
    }

    private static Check answer(Future<Check> asked) {
        boolean interrupted = false;
        while (true) {
            try {
                return asked.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (java.util.concurrent.ExecutionException e) {
                throw new IllegalStateException(e);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /// Whether the program is on PATH.
    Optional<Path> find(String program) {
        String path = console.environment().getOrDefault("PATH", "");
        return Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private Check check(CommandRunner runner, Tool tool) {
        Optional<Path> found = find(tool.name());
        if (found.isEmpty()) {
            return Check.warn(tool.name(), "not on PATH; " + tool.use(), tool.install());
        }
        List<String> words = new ArrayList<>(List.of(tool.name()));
        words.addAll(tool.asked());
        Outcome outcome = run(runner, words);
        String said = text(outcome);
        Matcher version = VERSION.matcher(said);
        if (!(outcome instanceof Outcome.Exited(int status, var _)) || status != 0 || !version.find()) {
            return Check.warn(
                    tool.name(),
                    found.get() + " does not tell its version: " + why(outcome),
                    "try it: " + String.join(" ", words));
        }
        String finding = version.group() + ", " + found.get();
        return tool.name().equals("git") && isOlder(version.group())
                ? Check.fail("git", finding + "; 2.36 or newer is needed", "install a newer git")
                : Check.ok(tool.name(), finding);
    }

    private static boolean isOlder(String version) {
        String[] parts = version.split("\\.", -1);
        int major = Integer.parseInt(parts[0]);
        int minor = Integer.parseInt(parts[1].replaceFirst("[-+].*", ""));
        return major < GIT_MAJOR || (major == GIT_MAJOR && minor < GIT_MINOR);
    }

    private static String text(Outcome outcome) {
        return new String(outcome.output().stdout(), StandardCharsets.UTF_8);
    }

    private static String why(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited(int status, var output) ->
                "exit status " + status
                        + output.stderr()
                                .lines()
                                .findFirst()
                                .map(line -> ", " + line)
                                .orElse("");
            case Outcome.Signalled signalled -> "ended by signal " + signalled.signal();
            case Outcome.TimedOut _ -> "no answer in " + LONGEST.toSeconds() + "s";
            case Outcome.NotStarted notStarted -> notStarted.text();
            case Outcome.Cancelled _, Outcome.OutputTooLarge _, Outcome.TooManyProcesses _ -> "ended early";
        };
    }

    /// Runs a program with this process's environment; none of those asked here is to reach for the network.
    Outcome run(CommandRunner runner, List<String> words) {
        List<Bytes> environment = new ArrayList<>(console.own().with(List.of(), name -> true));
        environment.removeIf(assignment -> assignment.toString().startsWith("SOPS_DISABLE_VERSION_CHECK="));
        environment.add(Bytes.utf8("SOPS_DISABLE_VERSION_CHECK=true"));
        Command command = new Command(
                words.stream().map(Bytes::utf8).toList(),
                environment,
                Bytes.utf8(console.directory().toAbsolutePath().toString()));
        TimeLimits time = new TimeLimits(
                List.of(TimeLimit.after("doctor", LONGEST, System.nanoTime(), "nothing")),
                Duration.ofSeconds(1),
                OptionalLong.empty());
        try (ProcessTree tree = runner.open("doctor", CommandLimits.ofOutput(MOST_BYTES))) {
            return tree.runLast(command, time, new Cancellation());
        }
    }
}
