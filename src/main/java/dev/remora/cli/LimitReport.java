package dev.remora.cli;

import dev.remora.process.CallTime;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.TimeLimit;
import dev.remora.process.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// `explain --limits`: the time limits of a command that starts now, in the order in which they fire, each with the
/// setting that moves it.
final class LimitReport {
    private final Duration timeout;
    private final ExecTimeouts timeouts;
    private final Optional<Duration> pluginTimeout;
    private final String caller;
    private final boolean served;

    LimitReport(ApplicationOptions options, PluginReference plugin, SettingValues settings) {
        this(
                options.timeout(),
                options.timeouts(),
                plugin instanceof PluginReference.Definition definition
                        ? definition.plugin().settings().limits().timeout()
                        : Optional.empty(),
                settings.origin(FolderSettings.TIMEOUT),
                plugin instanceof PluginReference.Socket);
    }

    /// @param timeout the caller's; zero: none
    /// @param caller where that is set
    /// @param served whether a plugin server runs the commands
    LimitReport(
            Duration timeout, ExecTimeouts timeouts, Optional<Duration> pluginTimeout, String caller, boolean served) {
        this.timeout = timeout;
        this.timeouts = timeouts;
        this.pluginTimeout = pluginTimeout;
        this.caller = caller;
        this.served = served;
    }

    void into(Tree tree, Map<String, Object> json) {
        Optional<Duration> given = timeout.isZero() ? Optional.empty() : Optional.of(timeout);
        TimeLimits limits = CallTime.startingNow(given, timeouts).forCommand(pluginTimeout);
        long now = System.nanoTime();
        List<TimeLimit> sorted = new ArrayList<>(limits.limits());
        sorted.sort(Comparator.comparingLong(limit -> limit.atNanos() - now));
        Tree branch = tree.branch("time limits of a command, the first fires"
                + (served ? "; the server's own may be others than these of here" : ""));
        List<Map<String, Object>> all = new ArrayList<>();
        for (TimeLimit limit : sorted) {
            boolean first = all.isEmpty();
            branch.branch(text(limit, now) + (first ? "  ← first" : "  never reached before it"));
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", limit.name());
            one.put("seconds", limit.given().toMillis() / 1000.0);
            one.put("firesAfterSeconds", Duration.ofNanos(limit.atNanos() - now).toMillis() / 1000.0);
            one.put("setting", limit.setting());
            one.put("first", first);
            all.add(one);
        }
        if (all.isEmpty()) {
            branch.branch("none: a command may run for ever");
        }
        branch.branch("then TERM, " + seconds(timeouts.fatal())
                + " grace (ARGOCD_EXEC_FATAL_TIMEOUT), KILL; KILL at the latest 100 ms before the caller's deadline");
        json.put("limits", all);
    }

    private String text(TimeLimit limit, long now) {
        boolean callers = timeout.equals(limit.given()) && limit.name().contains("deadline");
        String fires = callers
                ? " (a command ends after " + seconds(Duration.ofNanos(limit.atNanos() - now))
                        + ", so that the answer is in time; here from " + caller + ")"
                : "";
        String setting = limit.setting().equals(limit.name()) ? "" : ": " + limit.setting();
        return seconds(limit.given()) + " " + limit.name() + fires + setting;
    }

    private static String seconds(Duration time) {
        double seconds = time.toMillis() / 1000.0;
        return seconds == Math.rint(seconds)
                ? String.format(Locale.ROOT, "%.0fs", seconds)
                : String.format(Locale.ROOT, "%.1fs", seconds);
    }
}
