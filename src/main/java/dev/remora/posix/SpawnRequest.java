package dev.remora.posix;

import java.util.List;

/// A process to be started.
///
/// @param path the program, absolute or relative to `directory`; never looked up
/// @param stdin a descriptor that becomes its standard input, or [#NONE]: it is empty
/// @param stdout a descriptor that becomes its standard output
/// @param stderr a descriptor that becomes its standard error
/// @param fourth a descriptor that becomes its number 3, or [#NONE]: there is none
public record SpawnRequest(
        Bytes path,
        List<Bytes> argv,
        List<Bytes> environment,
        Bytes directory,
        int stdin,
        int stdout,
        int stderr,
        int fourth) {
    public static final int NONE = -1;

    /// With empty input, and nothing but the three.
    public SpawnRequest(
            Bytes path, List<Bytes> argv, List<Bytes> environment, Bytes directory, int stdout, int stderr) {
        this(path, argv, environment, directory, NONE, stdout, stderr, NONE);
    }
}
