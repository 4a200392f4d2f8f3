package dev.remora.cli;

import dev.remora.posix.Bytes;
import dev.remora.process.CommandEnvironment;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a command meets outside: its two streams, whether people look at them, the environment and the current folder.
///
/// @param in standard input
/// @param out the result and nothing else
/// @param err all else
/// @param own this process's environment, as bytes
record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        CommandEnvironment own,
        Path directory) {

    Console in(Path other) {
        return new Console(in, out, err, outIsTerminal, errIsTerminal, own, directory.resolve(other));
    }

    /// The environment as text.
    Map<String, String> environment() {
        Map<String, String> all = new LinkedHashMap<>();
        for (Bytes assignment : own.own()) {
            int equals = assignment.indexOf((byte) '=', 1);
            if (equals > 0) {
                all.put(
                        assignment.slice(0, equals).toString(),
                        assignment.slice(equals + 1, assignment.length()).toString());
            }
        }
        return all;
    }
}
