package dev.remora.telemetry;

import java.util.function.IntSupplier;

/// What is counted. Does nothing unless somebody can read it: the real one is loaded only with an HTTP address.
public interface Meters {
    Meters NONE = new Meters() {
        @Override
        public void finished(CallMeasure call) {}

        @Override
        public void reloaded(String plugin, String result) {}

        @Override
        public void watch(Gauge gauge, String plugin, IntSupplier reading) {}

        @Override
        public void forget(String plugin) {}

        @Override
        public String text() {
            return "";
        }
    };

    void finished(CallMeasure call);

    /// A definition was looked at anew.
    ///
    /// @param result `taken`, `kept`, `added` or `removed`
    void reloaded(String plugin, String result);

    /// Reads a number whenever somebody asks.
    void watch(Gauge gauge, String plugin, IntSupplier reading);

    /// A plugin is served no more: its gauges end.
    void forget(String plugin);

    /// Everything in Prometheus's text format.
    String text();

    /// Numbers that go up and down.
    enum Gauge {
        RUNNING("remora_calls_running", "Calls being served"),
        QUEUED("remora_calls_queued", "Calls that wait for a place under limits.parallel"),
        CHILDREN("remora_processes_alive", "Processes that renders have started and that are alive"),
        RELOAD_OK(
                "remora_plugin_definition_ok",
                "1 if the definition's file is the one in use, 0 if a bad one is kept out");

        private final String id;
        private final String help;

        Gauge(String id, String help) {
            this.id = id;
            this.help = help;
        }

        public String id() {
            return id;
        }

        public String help() {
            return help;
        }
    }
}
