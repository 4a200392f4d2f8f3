package dev.remora.plugin;

import java.util.ArrayList;
import java.util.List;

/// A command as `plugin.yaml` has it. The program is `command[0]`; `args` follow what is left of `command`. No shell,
/// no
/// substitution.
///
/// A command without elements is not defined, whatever its `args` say.
public record CommandSpec(List<String> command, List<String> args) {
    public static final CommandSpec NONE = new CommandSpec(List.of(), List.of());

    public CommandSpec {
        command = List.copyOf(command);
        args = List.copyOf(args);
    }

    public boolean defined() {
        return !command.isEmpty();
    }

    /// The whole argument list, program first.
    public List<String> argv() {
        var all = new ArrayList<>(command);
        all.addAll(args);
        return List.copyOf(all);
    }
}
