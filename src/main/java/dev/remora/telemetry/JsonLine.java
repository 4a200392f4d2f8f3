package dev.remora.telemetry;

import java.util.Map;

/// Small facts as one line of JSON, keys sorted.
public final class JsonLine {
    private JsonLine() {}

    /// The line.
    ///
    /// @param facts text, numbers, truth values and maps of these
    public static String of(Map<String, Object> facts) {
        StringBuilder json = new StringBuilder();
        JsonText.object(json, facts, Mask.NONE);
        return json.toString();
    }
}
