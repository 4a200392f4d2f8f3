package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.plugin.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What every setting of one command is, and where it was said. All values were checked when this was made.
final class SettingValues {
    /// The values of one setting, and who said them: `--flag`, a variable, a file's line, `default`.
    record Given(List<String> values, String origin) {
        Given {
            values = List.copyOf(values);
        }
    }

    private static final String DEFAULT = "default";
    private static final Set<String> HIDDEN = Set.of("plugin-env", "plugin-param", "otlp-headers");

    private final Map<String, Given> given;
    private final List<String> ignored;

    private SettingValues(Map<String, Given> given, List<String> ignored) {
        this.given = given;
        this.ignored = List.copyOf(ignored);
    }

    /// Resolves every setting of `command`: flag, `REMORA_<FLAG>`, further variables, file, default.
    ///
    /// @param file what `.remora.yaml` says, by key
    /// @throws Fault `cli.usage` with every value that is not valid
    static SettingValues resolve(
            CommandModel command, ParsedArguments arguments, Map<String, String> environment, Map<String, Given> file) {
        Map<String, Given> all = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        for (Setting setting : command.settings()) {
            Given value = first(setting, arguments, environment, file, ignored);
            Optional<Problem> problem = SettingText.problem(setting, value);
            problem.ifPresent(problems::add);
            all.put(setting.key(), setting.kind() == SettingKind.COUNT && problem.isEmpty() ? counted(value) : value);
        }
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.USAGE, problems);
        }
        return new SettingValues(all, ignored);
    }

    /// A flag that was given twice is 2.
    private static Given counted(Given value) {
        long times = value.values().stream().mapToLong(SettingText::times).sum();
        return value.values().isEmpty() ? value : new Given(List.of(Long.toString(times)), value.origin());
    }

    private static Given first(
            Setting setting,
            ParsedArguments arguments,
            Map<String, String> environment,
            Map<String, Given> file,
            List<String> ignored) {
        List<String> flag = arguments.flags().get(setting.key());
        if (flag != null) {
            return new Given(flag, setting.flag());
        }
        if (setting.places() != Setting.Places.FLAG) {
            String own = environment.get(setting.variable());
            if (own != null) {
                return new Given(SettingText.split(setting, own), setting.variable());
            }
            Optional<Given> further = further(setting, environment, ignored);
            if (further.isPresent()) {
                return further.get();
            }
        }
        Given inFile = setting.places() == Setting.Places.FILE ? file.get(setting.key()) : null;
        if (inFile != null) {
            return inFile;
        }
        List<String> fallback = setting.fallback().isEmpty() ? List.of() : List.of(setting.fallback());
        return new Given(fallback, DEFAULT);
    }

    private static Optional<Given> further(Setting setting, Map<String, String> environment, List<String> ignored) {
        for (String variable : setting.variables()) {
            String value = environment.get(variable);
            if (value == null || value.isEmpty()) {
                continue;
            }
            Given candidate = new Given(SettingText.split(setting, value), variable);
            if (SettingText.problem(setting, candidate).isEmpty()) {
                return Optional.of(candidate);
            }
            ignored.add(variable + "=\"" + value + "\" is not valid and is ignored, as Argo CD does");
        }
        return Optional.empty();
    }

    /// Sentences about variables whose value could not be used.
    List<String> ignored() {
        return ignored;
    }

    /// Every setting that has not its default, as `key=value ← origin`; secrets are in none of them but in
    /// `plugin-env`, `plugin-param` and `otlp-headers`, whose values are left out.
    List<String> given() {
        return given.entrySet().stream()
                .filter(entry -> !entry.getValue().origin().equals(DEFAULT))
                .map(entry -> entry.getKey()
                        + (HIDDEN.contains(entry.getKey())
                                ? ""
                                : "=" + String.join(",", entry.getValue().values()))
                        + "  ← " + entry.getValue().origin())
                .toList();
    }

    /// Whether the command has such a setting at all.
    boolean knows(Setting setting) {
        return given.containsKey(setting.key());
    }

    String origin(Setting setting) {
        return of(setting).origin();
    }

    boolean isDefault(Setting setting) {
        return of(setting).origin().equals(DEFAULT);
    }

    /// The value; of several the last; empty when there is none. A choice is in lower case, however it was written.
    String text(Setting setting) {
        List<String> values = of(setting).values();
        String last = values.isEmpty() ? "" : values.getLast();
        return setting.kind() == SettingKind.CHOICE ? last.toLowerCase(Locale.ROOT) : last;
    }

    Optional<String> optional(Setting setting) {
        String text = text(setting);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    List<String> list(Setting setting) {
        return of(setting).values();
    }

    boolean on(Setting setting) {
        return SettingText.isTrue(text(setting));
    }

    /// Whether a setting that may stand alone was given at all.
    boolean present(Setting setting) {
        return !of(setting).values().isEmpty();
    }

    int count(Setting setting) {
        return (int) of(setting).values().stream().mapToLong(SettingText::times).sum();
    }

    long number(Setting setting) {
        return Long.parseLong(text(setting));
    }

    double ratio(Setting setting) {
        return Double.parseDouble(text(setting));
    }

    Duration duration(Setting setting) {
        return GoDuration.parse(text(setting)).orElseThrow();
    }

    private Given of(Setting setting) {
        Given value = given.get(setting.key());
        if (value == null) {
            throw new IllegalArgumentException("the command has no setting " + setting.key());
        }
        return value;
    }
}
