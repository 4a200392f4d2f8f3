package dev.remora.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The log: a sentence for what happened, fields for which, one line each, written at once.
///
/// A log may carry fields that all its lines get, and a mask that hides secret values in all of them. Lines of several
/// threads never mix: the destination is the lock.
public final class Log {
    private final LogSettings settings;
    private final OutputStream out;
    private final LogLineWriter writer;
    private final List<LogField> fields;
    private final Mask mask;

    public Log(LogSettings settings, OutputStream out, InstantSource clock, Mask mask) {
        this(settings, out, new LogLineWriter(settings, clock), List.of(), mask);
    }

    private Log(LogSettings settings, OutputStream out, LogLineWriter writer, List<LogField> fields, Mask mask) {
        this.settings = settings;
        this.out = out;
        this.writer = writer;
        this.fields = fields;
        this.mask = mask;
    }

    /// A log that goes nowhere.
    public static Log silent() {
        LogSettings none =
                new LogSettings(LogFormat.JSON, LogLevel.PANIC, LogSettings.DEFAULT.timestampLayout(), false, false);
        return new Log(none, OutputStream.nullOutputStream(), InstantSource.system(), Mask.NONE);
    }

    /// The same log with fields for all its lines.
    public Log with(LogField... more) {
        List<LogField> all = new ArrayList<>(fields);
        all.addAll(List.of(more));
        return new Log(settings, out, writer, all, mask);
    }

    /// The same log, hiding more.
    public Log masking(Mask more) {
        return new Log(settings, out, writer, fields, mask.plus(more));
    }

    public boolean isOn(LogLevel level) {
        return level.compareTo(settings.level()) <= 0;
    }

    public void error(String message, LogField... which) {
        write(LogLevel.ERROR, message, which);
    }

    public void warning(String message, LogField... which) {
        write(LogLevel.WARNING, message, which);
    }

    public void info(String message, LogField... which) {
        write(LogLevel.INFO, message, which);
    }

    public void debug(String message, LogField... which) {
        write(LogLevel.DEBUG, message, which);
    }

    public void trace(String message, LogField... which) {
        write(LogLevel.TRACE, message, which);
    }

    public void write(LogLevel level, String message, LogField... which) {
        if (!isOn(level)) {
            return;
        }
        List<LogField> all = new ArrayList<>(fields);
        all.addAll(List.of(which));
        byte[] line = writer.line(level, message, all, mask).getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            try {
                out.write(line);
                out.flush();
            } catch (IOException nobodyReads) {
                // A log whose reader is gone must not fail the call that it tells about.
                return;
            }
        }
    }
}
