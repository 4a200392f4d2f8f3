package dev.remora.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes one log line in the form that Argo CD's own log has (logrus): keys sorted, `time` in RFC 3339 unless a layout
/// is set, a field that would hide `level`, `msg` or `time` renamed `fields.…`.
final class LogLineWriter {
    private static final String RFC3339 = "2006-01-02T15:04:05Z07:00";
    private static final int GRAY = 37;
    private static final int YELLOW = 33;
    private static final int RED = 31;
    private static final int BLUE = 36;

    private final LogSettings settings;
    private final InstantSource clock;
    private final GoTimeLayout layout;
    private final Instant start;

    LogLineWriter(LogSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.layout = new GoTimeLayout(settings.timestampLayout().orElse(RFC3339));
        this.start = clock.instant();
    }

    String line(LogLevel level, String message, List<LogField> fields, Mask mask) {
        SortedMap<String, Object> sorted = new TreeMap<>();
        for (LogField field : fields) {
            String id = field.key().id();
            sorted.put(
                    id.equals("level") || id.equals("msg") || id.equals("time") ? "fields." + id : id, field.value());
        }
        String text = mask.apply(message);
        return switch (settings.format()) {
            case JSON -> json(level, text, sorted, mask);
            case TEXT -> settings.colors() ? colored(level, text, sorted, mask) : plain(level, text, sorted, mask);
        };
    }

    private String now() {
        return layout.format(ZonedDateTime.ofInstant(clock.instant(), ZoneId.systemDefault()));
    }

    private String json(LogLevel level, String message, SortedMap<String, Object> fields, Mask mask) {
        fields.put("level", level.text());
        fields.put("msg", message);
        fields.put("time", now());
        StringBuilder line = new StringBuilder(512);
        JsonText.object(line, fields, mask);
        return line.append('\n').toString();
    }

    private String plain(LogLevel level, String message, Map<String, Object> fields, Mask mask) {
        StringBuilder line = new StringBuilder(256);
        line.append("time=");
        value(line, now());
        line.append(" level=").append(level.text()).append(" msg=");
        value(line, message);
        fields.forEach((key, value) -> {
            line.append(' ').append(key).append('=');
            value(line, mask.apply(shown(value)));
        });
        return line.append('\n').toString();
    }

    private String colored(LogLevel level, String message, Map<String, Object> fields, Mask mask) {
        int color = switch (level) {
            case TRACE, DEBUG -> GRAY;
            case WARNING -> YELLOW;
            case ERROR, FATAL, PANIC -> RED;
            case INFO -> BLUE;
        };
        String word = level.text().toUpperCase(Locale.ROOT).substring(0, 4);
        String time = settings.fullTimestamp()
                ? now()
                : String.format("%04d", Duration.between(start, clock.instant()).toSeconds());
        StringBuilder line = new StringBuilder(256);
        line.append("\u001b[").append(color).append('m').append(word).append("\u001b[0m[");
        line.append(time).append("] ").append(String.format("%-44s ", message.stripTrailing()));
        fields.forEach((key, value) -> {
            line.append(" \u001b[").append(color).append('m').append(key).append("\u001b[0m=");
            value(line, mask.apply(shown(value)));
        });
        return line.append('\n').toString();
    }

    private static String shown(Object value) {
        if (value instanceof Map<?, ?> map) {
            StringBuilder text = new StringBuilder();
            new TreeMap<Object, Object>(map)
                    .forEach((key, item) -> text.append(text.isEmpty() ? "" : " ")
                            .append(key)
                            .append('=')
                            .append(item));
            return text.toString();
        }
        return value.toString();
    }

    private static void value(StringBuilder line, String value) {
        if (value.chars().allMatch(LogLineWriter::bare)) {
            line.append(value);
        } else {
            JsonText.quotedAsGo(line, value);
        }
    }

    private static boolean bare(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._/@^+".indexOf(c) >= 0;
    }
}
