package dev.remora.telemetry;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.Locale;

/// The two forms of a log line: an object of JSON, or `key=value` text.
public enum LogFormat {
    JSON,
    TEXT;

    public static LogFormat parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "json" -> JSON;
            case "text" -> TEXT;
            default -> throw new Fault(FaultCode.USAGE, "Unknown log format \"" + text + "\"; use json or text");
        };
    }
}
