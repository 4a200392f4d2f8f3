package dev.remora.generation;

import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.PluginDefinition;
import dev.remora.posix.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/// A shell script that repeats a render's commands in a kept folder: `./replay.sh generate`. It holds the environment
/// as
/// the commands had it, byte for byte, so it belongs to its owner alone.
///
/// @param directory the application's folder, relative to the script's
/// @param environment every variable as `NAME=VALUE`
public record ReplayScript(PluginDefinition plugin, Bytes directory, List<Bytes> environment) {
    /// Read, write and run for the owner, nothing for others: the environment may hold secrets.
    public static final int MODE = 0700;

    /// The same for the JDK's file calls.
    public static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    public static final String NAME = "replay.sh";

    public ReplayScript {
        environment = List.copyOf(environment);
    }

    /// The script's text. Values are bytes, so it is bytes too.
    public byte[] text() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(
                out,
                "#!/bin/sh\n# Repeats a command of plugin "
                        + plugin.registeredName().replace('\n', ' ')
                        + " in the kept folder, with the environment it had.\n"
                        + "# That environment may hold secrets: keep this file to yourself.\n"
                        + "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit\n"
                        + "case ${1:-} in\n");
        StringBuilder known = new StringBuilder();
        command(out, known, "init", plugin.init());
        command(out, known, "generate", plugin.generate());
        command(out, known, "parameters", plugin.dynamicParameters());
        plugin.discoverRule().ifPresent(rule -> {
            if (rule instanceof DiscoverRule.FindCommand find) {
                command(out, known, "discover", find.command());
            }
        });
        write(out, "*) echo \"usage: $0 " + known + "\" >&2; exit 2 ;;\nesac\ncd \"$here\"/");
        quoted(out, directory);
        write(out, " || exit\nexec env -i");
        for (Bytes assignment : environment) {
            write(out, " \\\n  ");
            quoted(out, assignment);
        }
        write(out, " \\\n  \"$@\"\n");
        return out.toByteArray();
    }

    private static void command(ByteArrayOutputStream out, StringBuilder known, String name, CommandSpec spec) {
        if (!spec.defined()) {
            return;
        }
        known.append(known.isEmpty() ? "" : "|").append(name);
        write(out, name + ") set --");
        for (String argument : spec.argv()) {
            write(out, " ");
            quoted(out, Bytes.utf8(argument));
        }
        write(out, " ;;\n");
    }

    /// In single quotes, where a shell reads every byte as itself but the quote.
    private static void quoted(ByteArrayOutputStream out, Bytes value) {
        out.write('\'');
        for (byte b : value.toArray()) {
            if (b == '\'') {
                write(out, "'\\''");
            } else {
                out.write(b);
            }
        }
        out.write('\'');
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
