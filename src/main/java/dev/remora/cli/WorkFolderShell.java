package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.CommandSpec;
import dev.remora.render.LocalHost;
import dev.remora.render.PluginHost;
import dev.remora.render.RenderRequest;
import dev.remora.telemetry.Phases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// `explain --shell`: a shell on the user's terminal in the place of the plugin's `generate`, in its work folder, with
/// its
/// environment and behind its fence.
///
/// Commands of a render have no terminal, so the shell opens the user's by its name, in a session of its own, where no
/// job of the terminal stops it. So it has no job control, and Ctrl-C ends the whole command.
final class WorkFolderShell implements SourceStory.Shell {
    private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");

    private final Console console;

    WorkFolderShell(Console console) {
        this.console = console;
    }

    @Override
    public void open(PluginHost host, RenderRequest request, Phases phases) {
        if (!(host instanceof LocalHost local)) {
            throw new Fault(FaultCode.USAGE, "--shell needs the plugin's file: the work folder of a server is its own");
        }
        String terminal = terminal();
        console.err()
                .println("a shell in the work folder of " + host.name()
                        + ", after init and in the place of generate; leave it with exit. Ctrl-C ends all");
        String shell = "exec <" + terminal + " >" + terminal + " 2>&1 || exit 1; PS1='" + prompt(host.name())
                + "'; export PS1; exec sh -i";
        CommandSpec attended = new CommandSpec(List.of("setsid", "-w", "sh", "-c", shell), List.of());
        try {
            local.attend(request, phases, attended);
        } catch (Fault fault) {
            if (fault.code() != FaultCode.COMMAND_FAILED) {
                throw fault;
            }
            // a shell ends with the status of its last command, which is nobody's failure
            console.err().println("the shell ended with a status other than 0");
        }
    }

    private static String prompt(String plugin) {
        return plugin.replaceAll("[^A-Za-z0-9._-]", "") + "> ";
    }

    private static String terminal() {
        try {
            String terminal = Files.readSymbolicLink(STANDARD_INPUT).toString();
            if (terminal.matches("/dev/(pts/[0-9]+|tty[A-Za-z0-9]*|console)")) {
                return terminal;
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--shell needs a terminal: " + Fault.words(e), e);
        }
        throw new Fault(FaultCode.USAGE, "--shell needs a terminal on standard input");
    }
}
