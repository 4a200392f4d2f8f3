package dev.remora.cli;

import java.util.List;

/// One command as its users see it: what help, completion and `docs/reference/settings.md` are made from.
///
/// @param arguments the positional words as usage shows them, such as `FOLDER`; optional ones in brackets
/// @param examples whole command lines, each with what it is for behind a `#`
record CommandModel(
        String name,
        String summary,
        String description,
        List<String> arguments,
        List<Setting> settings,
        List<String> examples,
        String exitCodes) {
    CommandModel {
        arguments = List.copyOf(arguments);
        settings = List.copyOf(settings);
        examples = List.copyOf(examples);
    }

    int fewestArguments() {
        return (int)
                arguments.stream().filter(argument -> !argument.startsWith("[")).count();
    }

    String usage() {
        String words = arguments.isEmpty() ? "" : " " + String.join(" ", arguments);
        return "remora " + name + words + (settings.isEmpty() ? "" : " [flags]");
    }
}
