package dev.remora.cli;

import dev.remora.cli.SettingValues.Given;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// From a command line to an exit code: finds the command, reads its settings, runs it, and says what failed.
final class Program {
    private static final String HELP = "--help";

    private final Console console;

    private Program(Console console) {
        this.console = console;
    }

    static Program on(Console console) {
        return new Program(console);
    }

    int run(List<String> arguments) {
        try {
            return dispatch(arguments);
        } catch (Fault fault) {
            return report(fault, arguments, isServe(arguments), Optional.empty());
        } catch (InvalidPathException e) {
            // The JDK names files by the locale's letters; what lies inside a folder is named by bytes and not
            // concerned.
            Fault letters = new Fault(
                    FaultCode.USAGE,
                    "the locale cannot name " + e.getInput() + "; set LC_ALL=C.UTF-8, or start in the folder by cd");
            return report(letters, arguments, isServe(arguments), Optional.empty());
        } catch (RuntimeException | StackOverflowError e) {
            Fault bug = new Fault(FaultCode.INTERNAL, "unexpected: " + Fault.words(e), e);
            int code = report(bug, arguments, isServe(arguments), Optional.empty());
            e.printStackTrace(console.err());
            return code;
        } finally {
            console.out().flush();
            console.err().flush();
        }
    }

    private int dispatch(List<String> arguments) {
        if (arguments.isEmpty()) {
            console.err().print(HelpText.ofProgram(Commands.models()));
            return ExitCode.USAGE;
        }
        String first = arguments.getFirst();
        List<String> rest = arguments.subList(1, arguments.size());
        return switch (first) {
            case HELP, "-h" -> help(List.of());
            case "help" -> help(rest);
            case "--version" -> named("version", List.of());
            case "-C", "--directory" -> directoryFirst(rest);
            default -> named(first, rest);
        };
    }

    /// `remora -C DIR render …`, as git and make have it.
    private int directoryFirst(List<String> rest) {
        if (rest.size() < 2) {
            throw new Fault(FaultCode.USAGE, "-C needs a folder, and a command behind it");
        }
        List<String> moved = new ArrayList<>(rest.subList(1, rest.size()));
        moved.add(1, "--directory=" + rest.getFirst());
        return dispatch(moved);
    }

    private int help(List<String> words) {
        if (words.isEmpty()) {
            console.out().print(HelpText.ofProgram(Commands.models()));
            return ExitCode.DONE;
        }
        return named(words.getFirst(), List.of(HELP));
    }

    private int named(String name, List<String> arguments) {
        Command command = Commands.named(name).orElseThrow(() -> unknown(name));
        ParsedArguments parsed = ArgumentParser.parse(command.model(), arguments);
        if (parsed.flags().containsKey(CommonSettings.HELP.key())) {
            console.out().print(HelpText.of(command.model()));
            return ExitCode.DONE;
        }
        Console here = directory(parsed).map(console::in).orElse(console);
        Map<String, Given> file = RepositoryFile.read(command.model(), parsed.words(), here.directory());
        SettingValues settings = SettingValues.resolve(command.model(), parsed, here.environment(), file);
        try {
            return command.work().run(settings, parsed.words(), here);
        } catch (Fault fault) {
            return report(
                    fault, arguments, name.equals(Commands.SERVE.name()), application(command, settings, parsed, here));
        }
    }

    private static Optional<String> application(
            Command command, SettingValues settings, ParsedArguments parsed, Console here) {
        return command.model().settings().contains(FolderSettings.APP_NAME)
                        && !parsed.words().isEmpty()
                ? Optional.of(ApplicationOptions.instanceName(
                        settings,
                        here.directory().resolve(parsed.words().getFirst()).normalize()))
                : Optional.empty();
    }

    private static Optional<Path> directory(ParsedArguments parsed) {
        List<String> given = parsed.flags().getOrDefault(CommonSettings.DIRECTORY.key(), List.of());
        return given.isEmpty() ? Optional.empty() : Optional.of(Path.of(given.getLast()));
    }

    private static Fault unknown(String name) {
        List<String> names = Commands.models().stream().map(CommandModel::name).toList();
        if (name.startsWith("-")) {
            return new Fault(FaultCode.USAGE, name + " stands before the command; flags come after it");
        }
        return new Fault(FaultCode.USAGE, "unknown command " + name + Proposal.questionAndAll(name, "commands", names));
    }

    private int report(Fault fault, List<String> arguments, boolean serve, Optional<String> application) {
        console.out().flush();
        String text = FaultReport.text(fault);
        console.err().print(inColor(arguments) ? FaultReport.colored(text) : text);
        if (arguments.contains("-vv")) {
            fault.printStackTrace(console.err());
        }
        if (wantsJson(arguments)) {
            console.out().print(JsonDocument.write(FaultReport.json(fault, application)));
        }
        return serve ? ServeCommand.exitCode(fault, arguments) : ExitCode.of(fault);
    }

    /// Judged on the words too, for the same reason.
    private boolean inColor(List<String> arguments) {
        String own = console.environment().getOrDefault(CommonSettings.COLOR.variable(), "");
        if (arguments.contains("--no-color") || arguments.contains("--color=never")) {
            return false;
        }
        if (arguments.contains("--color=always") || own.equals("always")) {
            return true;
        }
        boolean refused = own.equals("never")
                || !console.environment().getOrDefault("NO_COLOR", "").isEmpty();
        return console.errIsTerminal() && !refused;
    }

    private static boolean isServe(List<String> arguments) {
        return !arguments.isEmpty() && arguments.getFirst().equals(Commands.SERVE.name());
    }

    /// Judged on the words, because the command line itself may be what is wrong.
    private static boolean wantsJson(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            boolean next = i + 1 < arguments.size() && arguments.get(i + 1).equals("json");
            if (word.equals("-ojson")
                    || word.equals("-o=json")
                    || word.equals("--output=json")
                    || (next && (word.equals("-o") || word.equals("--output")))) {
                return true;
            }
        }
        return false;
    }
}
