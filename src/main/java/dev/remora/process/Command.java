package dev.remora.process;

import dev.remora.posix.Bytes;
import java.util.List;

/// One external command, complete: nothing is added to it.
///
/// @param argv the program as written, then its arguments. A name without `/` is looked up on the server's own PATH,
///     one with `/` is taken relative to `directory`. No shell reads any of it.
/// @param environment every variable as `NAME=VALUE`, names unique
/// @param directory where it runs, absolute
public record Command(List<Bytes> argv, List<Bytes> environment, Bytes directory) {
    public Command {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
    }
}
