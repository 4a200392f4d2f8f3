package dev.remora.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/// What a command meets outside: its two streams, whether people look at them, the environment and the current folder.
///
/// @param out the result and nothing else
/// @param err all else
record Console(
        PrintStream out,
        PrintStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment,
        Path directory) {
    Console {
        environment = Map.copyOf(environment);
    }

    Console in(Path other) {
        return new Console(out, err, outIsTerminal, errIsTerminal, environment, directory.resolve(other));
    }
}
