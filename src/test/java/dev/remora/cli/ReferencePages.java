package dev.remora.cli;

import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The pages of `docs/reference` that are made from declarations.
final class ReferencePages {
    private static final String MADE = "<!-- Made from the code; to change it, change %s and run the tests with"
            + " -Dremora.rewrite=true. -->\n\n";

    private ReferencePages() {}

    static String settings() {
        StringBuilder page = new StringBuilder(MADE.formatted("the Settings classes of the package cli"));
        page.append("""
                # Settings

                A setting's value comes from the first of: the flag, the variable `REMORA_<FLAG>`, the other variables of its
                row, the key in `.remora.yaml` at the repository's root (at the top, or below the command's name), the default.
                Paths in that file are below the root.
                `serve` reads no `.remora.yaml`. A list takes its flag several times; in a variable it has one value a line, in
                the file it is a list. A variable of Argo CD's own whose value is not valid is ignored, as Argo CD does; any
                other invalid value is refused.
                """);
        for (CommandModel command : Commands.models()) {
            page.append("\n## remora ").append(command.name()).append("\n\n");
            page.append(command.description())
                    .append("\n\n`")
                    .append(command.usage())
                    .append("`\n\n");
            page.append("Exit codes: ").append(command.exitCodes()).append(".\n\n");
            page.append("| flag | variables | in .remora.yaml | default | what it does |\n|---|---|---|---|---|\n");
            command.settings().forEach(setting -> page.append(row(setting)));
        }
        return page.toString();
    }

    private static String row(Setting setting) {
        String letter = setting.letter().isEmpty() ? "" : "`-" + setting.letter() + "`, ";
        String value = setting.placeholder().isEmpty() || setting.kind() == SettingKind.OPTIONAL_TEXT
                ? setting.placeholder()
                : " " + setting.placeholder();
        List<String> variables = new ArrayList<>();
        if (setting.places() != Setting.Places.FLAG) {
            variables.add("`" + setting.variable() + "`");
            setting.variables().forEach(variable -> variables.add("`" + variable + "`"));
        }
        return "| " + letter + "`" + escaped(setting.flag() + value) + "` | " + String.join(", ", variables) + " | "
                + (setting.places() == Setting.Places.FILE ? "`" + setting.key() + "`" : "–") + " | "
                + (setting.fallback().isEmpty() ? "–" : "`" + setting.fallback() + "`") + " | "
                + escaped(setting.sentence()) + " |\n";
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|");
    }

    static String departures() {
        StringBuilder page = new StringBuilder(MADE.formatted("plugin.Departure"));
        page.append("""
                # Where Remora departs from Argo CD's plugin server

                Each row can be switched back by `--argocd=ROW[,ROW]`, all by `--argocd=all`. Everything else is compatible to
                the letter.

                | row | Argo CD's server | Remora |
                |---|---|---|
                """);
        for (Departure departure : Departure.values()) {
            page.append("| `%s` | %s | %s |\n"
                    .formatted(departure.row(), escaped(departure.argoCd()), escaped(departure.remora())));
        }
        return page.toString();
    }

    static String faultCodes() {
        StringBuilder page = new StringBuilder(MADE.formatted("fault.FaultCode"));
        page.append("""
                # Fault codes

                A message ends with its code in brackets; `-o json`, logs and metrics carry it too. `remora explain CODE` tells
                more. The kind says who can mend it, and is the exit code of a command: USER 3, LIMIT 4, ENVIRONMENT 5, BUG 70
                (`cli.usage`: 2).

                | code | kind | what it means | what to do |
                |---|---|---|---|
                """);
        page.append(java.util.Arrays.stream(FaultCode.values())
                .map(code -> "| `%s` | %s | %s | %s |\n"
                        .formatted(code.id(), code.kind(), escaped(code.summary()), escaped(code.advice())))
                .collect(Collectors.joining()));
        return page.toString();
    }
}
