package dev.remora.process;

import dev.remora.posix.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// Commands and limits for tests.
final class Shell {
    static final Bytes SEARCH_PATH = Bytes.utf8("/usr/bin:/bin");
    static final long MEBI = 1024 * 1024;

    private Shell() {}

    static Command script(Path folder, String script) {
        return command(folder, "sh", "-c", script);
    }

    /// With a variable by which [Alive] finds all that it starts.
    static Command marked(Path folder, String mark, String script) {
        Command plain = script(folder, script);
        return new Command(
                plain.argv(), List.of(Bytes.utf8("PATH=/usr/bin:/bin"), Bytes.utf8(mark + "=1")), plain.directory());
    }

    static Command command(Path folder, String... argv) {
        return new Command(
                List.of(argv).stream().map(Bytes::utf8).toList(),
                List.of(Bytes.utf8("PATH=/usr/bin:/bin")),
                Bytes.utf8(folder.toString()));
    }

    static CommandLimits limits() {
        return CommandLimits.ofOutput(MEBI);
    }

    /// One limit, its grace, and no deadline.
    static TimeLimits within(Duration time, Duration grace) {
        return new TimeLimits(
                List.of(TimeLimit.after("limits.timeout", time, System.nanoTime(), "remora.limits.timeout")),
                grace,
                OptionalLong.empty());
    }

    static String stdout(Outcome outcome) {
        return new String(outcome.output().stdout(), StandardCharsets.UTF_8);
    }

    /// A runner that tells renders apart in this way.
    static CommandRunner runner(ProcessSettings.Containment containment, Duration closeGrace) {
        ProcessSettings standard = ProcessSettings.standard(SEARCH_PATH);
        return CommandRunner.open(new ProcessSettings(
                standard.searchPath(), containment, standard.ending(), standard.reapOrphans(), closeGrace));
    }

    static CommandRunner runner(ProcessSettings.Containment containment) {
        return runner(containment, ProcessSettings.standard(SEARCH_PATH).closeGrace());
    }
}
