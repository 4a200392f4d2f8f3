package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Looks every second or so whether the sockets' files are still there, and makes those again that somebody removed:
/// without its file a server runs on and nobody can reach it. Polling, as for definitions, since what empties a shared
/// volume may also replace the folder that a notification would watch.
final class SocketWatcher implements AutoCloseable {
    private final ServedPlugins plugins;
    private final Log log;
    private final Duration poll;
    private final Thread thread;
    /// What was last said of a socket, so that it is said once. Only the thread's.
    private final Map<String, String> said = new HashMap<>();

    SocketWatcher(ServedPlugins plugins, Log log, Duration poll) {
        this.plugins = plugins;
        this.log = log;
        this.poll = poll;
        this.thread = Thread.ofVirtual().name("socket-watcher").start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(poll);
                plugins.states().forEach(state -> state.plugin().ifPresent(this::look));
            }
        } catch (InterruptedException stopped) {
            return;
        }
    }

    private void look(ServedPlugin plugin) {
        String socket = plugin.socket().toString();
        try {
            switch (plugin.putBackSocket()) {
                case THERE -> said.remove(socket);
                case PUT_BACK ->
                    log.warning(
                            "socket " + socket + " was removed by somebody; it is there again",
                            LogKey.PLUGIN.is(plugin.definition().registeredName()),
                            LogKey.SOCKET.is(socket));
                case TAKEN ->
                    tell(plugin, "socket " + socket + " is not ours any more: another server has taken its place");
            }
        } catch (Fault fault) {
            tell(plugin, "socket " + socket + " was removed and cannot be made again: " + Fault.words(fault));
        }
    }

    private void tell(ServedPlugin plugin, String what) {
        String socket = plugin.socket().toString();
        if (!what.equals(said.put(socket, what))) {
            log.error(what, LogKey.PLUGIN.is(plugin.definition().registeredName()), LogKey.SOCKET.is(socket));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
