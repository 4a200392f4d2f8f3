package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.telemetry.Log;
import java.time.Duration;

/// Looks at the definitions' files every second or so. Polling, since a ConfigMap changes by a link somewhere above the
/// file that is renamed, which file notification does not tell.
final class PluginWatcher implements AutoCloseable {
    private final ServedPlugins plugins;
    private final Log log;
    private final Duration poll;
    private final Thread thread;
    private String lastFault = "";

    PluginWatcher(ServedPlugins plugins, Log log, Duration poll) {
        this.plugins = plugins;
        this.log = log;
        this.poll = poll;
        this.thread = Thread.ofVirtual().name("plugin-watcher").start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(poll);
                look();
            }
        } catch (InterruptedException stopped) {
            return;
        }
    }

    private void look() {
        try {
            plugins.takeChanges();
            lastFault = "";
        } catch (Fault fault) {
            // The folder itself cannot be read, or is empty: what is served stays, and the log says so once.
            if (!lastFault.equals(Fault.words(fault))) {
                lastFault = Fault.words(fault);
                log.error("plugin definitions kept: " + lastFault);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
