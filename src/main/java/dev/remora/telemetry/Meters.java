package dev.remora.telemetry;

import java.util.function.LongSupplier;

/// What is counted. Does nothing unless somebody can read it: the real one is loaded only with an HTTP address.
public interface Meters {
    Meters NONE = new Meters() {
        @Override
        public void finished(CallMeasure call) {}

        @Override
        public void reloaded(String plugin, String result) {}

        @Override
        public void asked(String plugin, String method, String outcome, String reason) {}

        @Override
        public void watch(Gauge gauge, String plugin, LongSupplier reading) {}

        @Override
        public void forget(String plugin) {}

        @Override
        public void count(Count count, String plugin, String reason) {}

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

    /// A call asked for an answer or a verdict that was made before.
    ///
    /// @param outcome `hit`, `miss` or `skipped`
    /// @param reason one word of a short list
    void asked(String plugin, String method, String outcome, String reason);

    /// Reads a number whenever somebody asks.
    void watch(Gauge gauge, String plugin, LongSupplier reading);

    /// A plugin is served no more: its gauges end.
    void forget(String plugin);

    /// Something happened once more.
    ///
    /// @param reason why, in a word from a short list; empty where the count has no reasons
    void count(Count count, String plugin, String reason);

    /// Everything in Prometheus's text format.
    String text();

    /// Numbers that only grow.
    enum Count {
        WORKER_STARTS("remora_worker_starts", "Warm workers started"),
        WORKER_ENDS("remora_worker_ends", "Warm workers ended, by reason; the next call starts another"),
        WORKER_FAILOVERS("remora_worker_failovers", "Renders that a worker failed and the command did, by reason"),
        WORKER_REQUESTS("remora_worker_requests", "Renders that a worker did"),
        WORKER_REFUSALS(
                "remora_worker_refusals",
                "Renders that the command did because there was no worker for them, by reason");

        private final String id;
        private final String help;

        Count(String id, String help) {
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

    /// Numbers that go up and down.
    enum Gauge {
        RUNNING("remora_calls_running", "Calls being served"),
        QUEUED("remora_calls_queued", "Calls that wait for a place under limits.parallel"),
        KEPT_RESULTS("remora_cache_results", "Answers that are kept to be given again"),
        KEPT_BYTES("remora_cache_bytes", "What kept answers take, about"),
        WORKERS("remora_workers_alive", "Warm workers, busy and idle"),
        IDLE_TREES("remora_trees_idle", "Unpacked trees that wait to be lent again"),
        IDLE_TREE_BYTES("remora_trees_idle_bytes", "Bytes on disk of idle trees"),
        IDLE_TREE_INODES("remora_trees_idle_inodes", "Files, folders and links of idle trees"),
        CHILDREN("remora_processes_alive", "Processes that renders have started and that are alive"),
        SANDBOX_MISSING("remora_sandbox_layers_missing", "Layers of the sandbox that this kernel does not give"),
        SANDBOX_STRICT("remora_plugin_sandbox_strict", "1 if the plugin's files and sockets are fenced"),
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
