package dev.remora.posix;

import java.util.List;

/// A process to be started.
///
/// @param path the program, absolute or relative to `directory`; never looked up
/// @param stdout a descriptor that becomes its standard output
/// @param stderr a descriptor that becomes its standard error
public record SpawnRequest(
        Bytes path, List<Bytes> argv, List<Bytes> environment, Bytes directory, int stdout, int stderr) {}
