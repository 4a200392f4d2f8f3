package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes a command line apart by the grammar of Go's pflag, because `serve` stands where a program with that grammar
/// stood: `--flag value`, `--flag=value`, `--switch`, `--switch=false`, `-o value`, `-ovalue`, `-o=value`, `-qv`; flags
/// and words in any order; `--` ends the flags. Everything that is wrong is reported at once.
///
/// Why no library: see `docs/decisions/command-line.md`.
final class ArgumentParser {
    private static final String END_OF_FLAGS = "--";

    private final CommandModel command;
    private final Deque<String> rest;
    private final Map<String, List<String>> flags = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    private ArgumentParser(CommandModel command, List<String> arguments) {
        this.command = command;
        this.rest = new ArrayDeque<>(arguments);
    }

    static ParsedArguments parse(CommandModel command, List<String> arguments) {
        ArgumentParser parser = new ArgumentParser(command, arguments);
        parser.run();
        return new ParsedArguments(parser.flags, parser.words);
    }

    private void run() {
        while (!rest.isEmpty()) {
            String argument = rest.pop();
            if (argument.equals(END_OF_FLAGS)) {
                words.addAll(rest);
                rest.clear();
            } else if (argument.startsWith("--")) {
                longFlag(argument.substring(2));
            } else if (argument.startsWith("-") && argument.length() > 1) {
                letters(argument.substring(1));
            } else {
                words.add(argument);
            }
        }
        if (!flags.containsKey(CommonSettings.HELP.key())) {
            countWords();
        }
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.USAGE, problems);
        }
    }

    private void longFlag(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        Optional<Setting> setting = command.settings().stream()
                .filter(known -> known.key().equals(name))
                .findFirst();
        if (setting.isEmpty()) {
            unknown("--" + name);
        } else if (equals >= 0) {
            add(setting.get(), text.substring(equals + 1));
        } else {
            addNext(setting.get(), setting.get().flag());
        }
    }

    /// A cluster such as `-qvo json`: the first letter that takes a value takes what is left.
    private void letters(String cluster) {
        for (int i = 0; i < cluster.length(); i++) {
            String letter = cluster.substring(i, i + 1);
            Optional<Setting> setting = command.settings().stream()
                    .filter(known -> known.letter().equals(letter))
                    .findFirst();
            if (setting.isEmpty()) {
                unknown("-" + letter);
                return;
            }
            String attached = cluster.substring(i + 1);
            if (attached.startsWith("=")) {
                add(setting.get(), attached.substring(1));
                return;
            }
            if (!setting.get().mayStandAlone() && !attached.isEmpty()) {
                add(setting.get(), attached);
                return;
            }
            addNext(setting.get(), "-" + letter);
        }
    }

    private void addNext(Setting setting, String asWritten) {
        if (setting.mayStandAlone()) {
            add(setting, setting.kind() == SettingKind.OPTIONAL_TEXT ? "" : "true");
        } else if (rest.isEmpty()) {
            problems.add(Problem.of(asWritten + " needs a value: " + asWritten + " " + setting.placeholder()));
        } else {
            add(setting, rest.pop());
        }
    }

    private void add(Setting setting, String value) {
        flags.computeIfAbsent(setting.key(), key -> new ArrayList<>()).add(value);
    }

    private void unknown(String flag) {
        List<String> known = command.settings().stream().map(Setting::flag).toList();
        problems.add(Problem.of("unknown flag " + flag + Proposal.question(flag, known)));
    }

    private void countWords() {
        int most = command.arguments().size();
        if (words.size() > most && !problems.isEmpty()) {
            return; // the word is likely the value of the flag that is not known
        }
        if (words.size() > most) {
            problems.add(
                    Problem.of("unexpected argument \"" + words.get(most) + "\"; the usage is: " + command.usage()));
        } else if (words.size() < command.fewestArguments()) {
            problems.add(Problem.of(
                    command.arguments().get(words.size()) + " is missing; the usage is: " + command.usage()));
        }
    }
}
