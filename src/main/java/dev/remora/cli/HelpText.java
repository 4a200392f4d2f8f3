package dev.remora.cli;

import java.util.ArrayList;
import java.util.List;

/// The text of `--help`, made from the models: what the command does, and for each setting its flag, its variables,
/// its key in `.remora.yaml` and its default.
final class HelpText {
    private static final int WIDTH = 100;
    private static final String INDENT = "      ";

    private HelpText() {}

    static String ofProgram(List<CommandModel> commands) {
        StringBuilder text = new StringBuilder("""
                Remora runs Argo CD's config management plugins: in a sidecar, and on a folder.

                Usage: remora COMMAND [flags]

                Commands:
                """);
        int widest = commands.stream()
                .mapToInt(command -> command.name().length())
                .max()
                .orElse(0);
        for (CommandModel command : commands) {
            text.append("  ")
                    .append(padded(command.name(), widest + 2))
                    .append(command.summary())
                    .append('\n');
        }
        return text.append("""

                remora COMMAND --help shows a command's flags; remora explain CODE tells about a fault's code.
                """).toString();
    }

    static String of(CommandModel command) {
        StringBuilder text = new StringBuilder();
        for (String line : wrapped(command.description(), WIDTH)) {
            text.append(line).append('\n');
        }
        text.append("\nUsage: ").append(command.usage()).append('\n');
        if (!command.examples().isEmpty()) {
            text.append("\nExamples:\n");
            command.examples()
                    .forEach(example -> text.append("  ").append(example).append('\n'));
        }
        text.append("\nFlags (then the variable, then the key in .remora.yaml, then the default):\n");
        command.settings().forEach(setting -> append(text, setting));
        return text.append("\nExit codes: ")
                .append(command.exitCodes())
                .append('\n')
                .toString();
    }

    private static void append(StringBuilder text, Setting setting) {
        String letter = setting.letter().isEmpty() ? "    " : "-" + setting.letter() + ", ";
        text.append("  ").append(letter).append(setting.flag());
        if (setting.kind() == SettingKind.OPTIONAL_TEXT) {
            text.append(setting.placeholder());
        } else if (!setting.placeholder().isEmpty()) {
            text.append(' ').append(setting.placeholder());
        }
        text.append('\n');
        for (String line : wrapped(setting.sentence(), WIDTH - INDENT.length())) {
            text.append(INDENT).append(line).append('\n');
        }
        String origins = origins(setting);
        if (!origins.isEmpty()) {
            text.append(INDENT).append(origins).append('\n');
        }
    }

    private static String origins(Setting setting) {
        List<String> all = new ArrayList<>();
        if (setting.places() != Setting.Places.FLAG) {
            all.add(setting.variable());
            all.addAll(setting.variables());
        }
        if (setting.places() == Setting.Places.FILE) {
            all.add(setting.key() + ":");
        }
        if (setting.kind() == SettingKind.LIST) {
            all.add("repeatable");
        }
        boolean off = setting.kind() == SettingKind.COUNT
                || (setting.kind() == SettingKind.SWITCH && setting.fallback().equals("false"));
        if (!setting.fallback().isEmpty() && !off) {
            all.add("default " + setting.fallback());
        }
        return all.isEmpty() ? "" : "[" + String.join(", ", all) + "]";
    }

    static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
