package dev.remora.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/// What standard error tells while work goes on: on a terminal one line, rewritten, from the first second on and gone
/// at
/// the end; elsewhere one plain line every ten seconds; or events as JSON, one a line.
final class Progress {
    private static final Duration QUIET_AT_FIRST = Duration.ofSeconds(1);
    private static final Duration REWRITE = Duration.ofMillis(200);
    private static final Duration PLAIN_EVERY = Duration.ofSeconds(10);
    private static final String ERASE_LINE = "\r\033[K";

    /// How progress is told.
    enum Form {
        LIVE,
        PLAIN,
        JSON,
        NONE
    }

    private final Console console;
    private final Form form;
    private final Supplier<String> label;
    private final boolean timed;
    private final long start = System.nanoTime();
    private final Thread ticker;
    private boolean shown;

    private Progress(Console console, Form form, Supplier<String> label, boolean timed) {
        this.console = console;
        this.form = form;
        this.label = label;
        this.timed = timed;
        this.ticker = Thread.ofVirtual().unstarted(this::tick);
    }

    /// Runs `work`, and tells how long it is at it.
    ///
    /// @param label such as `payments  kapitan`
    static <T> T during(Console console, SettingValues settings, String label, Supplier<T> work) {
        return during(new Progress(console, form(console, settings), () -> label, true), work);
    }

    /// Runs `work`, and tells how far it is.
    ///
    /// @param line asked whenever it is shown
    static <T> T during(Console console, SettingValues settings, Supplier<String> line, Supplier<T> work) {
        return during(new Progress(console, form(console, settings), line, false), work);
    }

    private static <T> T during(Progress progress, Supplier<T> work) {
        progress.start();
        try {
            return work.get();
        } finally {
            progress.end();
        }
    }

    private void start() {
        event("started");
        if (form != Form.NONE) {
            ticker.start();
        }
    }

    static Form form(Console console, SettingValues settings) {
        if (settings.on(CommonSettings.QUIET)) {
            return Form.NONE;
        }
        return switch (settings.text(CommonSettings.PROGRESS)) {
            case "none" -> Form.NONE;
            case "json" -> Form.JSON;
            case "plain" -> Form.PLAIN;
            default -> console.errIsTerminal() ? Form.LIVE : Form.PLAIN;
        };
    }

    private void tick() {
        Duration step = form == Form.LIVE ? REWRITE : PLAIN_EVERY;
        try {
            Thread.sleep(form == Form.LIVE ? QUIET_AT_FIRST : PLAIN_EVERY);
            while (true) {
                show();
                Thread.sleep(step);
            }
        } catch (InterruptedException over) {
            // closed: the thread's only way to end
            return;
        }
    }

    private synchronized void show() {
        switch (form) {
            case LIVE -> {
                console.err().print(ERASE_LINE + text());
                console.err().flush();
                shown = true;
            }
            case PLAIN -> console.err().println(text());
            case JSON -> event("running");
            case NONE -> {}
        }
    }

    private void event(String what) {
        if (form == Form.JSON) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("schema", "remora/progress/v1");
            json.put("event", what);
            json.put("label", label.get());
            json.put("seconds", elapsed() / 1000.0);
            console.err().print(JsonDocument.line(json));
        }
    }

    private String text() {
        return timed ? label.get() + " " + seconds() : label.get();
    }

    private String seconds() {
        return String.format(Locale.ROOT, "%.1fs", elapsed() / 1000.0);
    }

    private long elapsed() {
        return Duration.ofNanos(System.nanoTime() - start).toMillis();
    }

    private void end() {
        ticker.interrupt();
        synchronized (this) {
            if (shown) {
                console.err().print(ERASE_LINE);
                console.err().flush();
            }
            event("ended");
        }
    }
}
