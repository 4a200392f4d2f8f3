package dev.remora.telemetry;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.Locale;

/// How much a log line matters, spelled as Argo CD's logs spell it. From most to least important.
public enum LogLevel {
    PANIC,
    FATAL,
    ERROR,
    WARNING,
    INFO,
    DEBUG,
    TRACE;

    /// As in a log line: `warning`, not `warn`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Reads a setting; any case, `warn` too.
    public static LogLevel parse(String text) {
        String wanted = text.toLowerCase(Locale.ROOT);
        if (wanted.equals("warn")) {
            return WARNING;
        }
        for (LogLevel level : values()) {
            if (level.text().equals(wanted)) {
                return level;
            }
        }
        throw new Fault(
                FaultCode.USAGE,
                "not a valid log level: \"" + text + "\"; use trace, debug, info, warning, error, fatal or panic");
    }
}
