package dev.remora.git;

import java.time.Duration;

/// How long git may take.
///
/// @param ask for a question to a server, such as its list of refs
/// @param fetch for fetching a commit
/// @param local for work on this machine: laying out a tree
/// @param stalled after so long below a thousand bytes a second a transfer over HTTP is given up
public record GitTimes(Duration ask, Duration fetch, Duration local, Duration stalled) {
    public static final GitTimes STANDARD =
            new GitTimes(Duration.ofSeconds(60), Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(30));
}
