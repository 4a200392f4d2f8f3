package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import java.util.List;
import java.util.stream.Collectors;

/// `remora completion SHELL`: scripts made from the same models as help.
final class CompletionCommand {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private CompletionCommand() {}

    static int run(String shell, Console console) {
        console.out().print(script(shell));
        return ExitCode.DONE;
    }

    private static String script(String shell) {
        return switch (shell) {
            case "bash" -> bash();
            case "zsh" -> zsh();
            case "fish" -> fish();
            default ->
                throw new Fault(
                        FaultCode.USAGE,
                        "no completion for " + shell + Proposal.questionAndAll(shell, "shells", SHELLS));
        };
    }

    /// zsh runs bash's completions through its own emulation. A file in its `fpath` is loaded by the first tab as a
    /// function, and that tab is to be answered too.
    private static String zsh() {
        return "#compdef remora\nautoload -U +X bashcompinit && bashcompinit\n" + bash()
                + "if [[ \"${funcstack[1]:-}\" == _remora ]]; then _bash_complete -o default -o bashdefault -F _remora;"
                + " fi\n";
    }

    private static String bash() {
        String names = names();
        StringBuilder script = new StringBuilder("""
                _remora() {
                    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" i=1
                    while [ $i -lt "$COMP_CWORD" ]; do
                        case "${COMP_WORDS[$i]}" in -*) ;; *) command="${COMP_WORDS[$i]}"; break ;; esac
                        i=$((i+1))
                    done
                    COMPREPLY=()
                    case "$command:$before" in
                """);
        for (CommandModel command : Commands.models()) {
            for (Setting setting : command.settings()) {
                if (!setting.choices().isEmpty()) {
                    script.append("        %s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n"
                            .formatted(patterns(command, setting), String.join(" ", setting.choices())));
                }
            }
        }
        script.append("    esac\n    case \"$command\" in\n");
        for (CommandModel command : Commands.models()) {
            script.append("        %s) [[ \"$word\" == -* ]] && COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;\n"
                    .formatted(
                            command.name(),
                            command.settings().stream().map(Setting::flag).collect(Collectors.joining(" "))));
        }
        return script.append("        '') COMPREPLY=($(compgen -W '%s help' -- \"$word\")) ;;\n".formatted(names))
                .append("    esac\n")
                .append(
                        "    [[ \"$command\" == completion ]] && COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\"))\n")
                .append("}\ncomplete -o default -o bashdefault -F _remora remora\n")
                .toString();
    }

    private static String patterns(CommandModel command, Setting setting) {
        String flag = command.name() + ":" + setting.flag();
        return setting.letter().isEmpty() ? flag : flag + "|" + command.name() + ":-" + setting.letter();
    }

    private static String fish() {
        StringBuilder script = new StringBuilder("complete -c remora -n __fish_use_subcommand -f -a 'help'\n");
        for (CommandModel command : Commands.models()) {
            script.append("complete -c remora -n __fish_use_subcommand -f -a '%s' -d '%s'\n"
                    .formatted(command.name(), quoted(command.summary())));
            for (Setting setting : command.settings()) {
                script.append("complete -c remora -n '__fish_seen_subcommand_from %s' -l %s"
                        .formatted(command.name(), setting.key()));
                if (!setting.letter().isEmpty()) {
                    script.append(" -s ").append(setting.letter());
                }
                if (!setting.mayStandAlone()) {
                    script.append(" -r");
                }
                if (!setting.choices().isEmpty()) {
                    script.append(" -f -a '")
                            .append(String.join(" ", setting.choices()))
                            .append("'");
                }
                script.append(" -d '").append(quoted(setting.sentence())).append("'\n");
            }
        }
        return script.append("complete -c remora -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n")
                .toString();
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("'", "\\'");
    }

    private static String names() {
        return Commands.models().stream().map(CommandModel::name).collect(Collectors.joining(" "));
    }
}
