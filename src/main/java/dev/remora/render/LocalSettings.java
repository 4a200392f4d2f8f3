package dev.remora.render;

import dev.remora.generation.FencePolicy;
import dev.remora.plugin.Departures;
import dev.remora.posix.Bytes;
import dev.remora.process.ExecTimeouts;
import java.util.Optional;

/// How a [LocalHost] works.
///
/// @param workBase where work folders are made
/// @param keep an existing empty folder, by its real path, where the work folder stays after the render; empty: it is
/// removed
/// @param linux false: by the JDK's own file calls, as on systems that are not Linux
/// @param answerBytes the most that an answer may take, as a server's message limit
/// @param fences how commands are held, where the system can
public record LocalSettings(
        Bytes workBase,
        Optional<Bytes> keep,
        Departures departures,
        ExecTimeouts timeouts,
        boolean linux,
        long answerBytes,
        FencePolicy fences) {}
