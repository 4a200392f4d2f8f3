package dev.remora.sidecar;

import dev.remora.plugin.Departure;
import dev.remora.plugin.PluginDefinition;
import dev.remora.protocol.EventLoops;
import dev.remora.protocol.UnixSocketServer;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.Meters.Gauge;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/// One plugin behind its socket. Its definition may be replaced while it is served; calls that run keep theirs.
final class ServedPlugin implements AutoCloseable {
    private final ServerParts parts;
    private final AtomicReference<PluginDefinition> definition;
    private final AdmissionQueue queue = new AdmissionQueue();
    private final UnixSocketServer server;

    private ServedPlugin(ServerParts parts, PluginDefinition first, EventLoops loops, Executor executor) {
        this.parts = parts;
        this.definition = new AtomicReference<>(first);
        this.queue.allow(first.settings().limits().parallel());
        Path socket = parts.options().places().socketDir().resolve(first.socketName());
        this.server = UnixSocketServer.listen(
                socket,
                PluginServices.of(parts, definition::get, queue, executor),
                new AccessLog(parts.log()),
                parts.options().rules().transport(),
                loops,
                parts.options().rules().departures().asArgoCd(Departure.TAKE_SOCKET));
    }

    /// Opens the socket.
    static ServedPlugin open(ServerParts parts, PluginDefinition definition, EventLoops loops, Executor executor) {
        ServedPlugin plugin = new ServedPlugin(parts, definition, loops, executor);
        String name = definition.registeredName();
        parts.meters().watch(Gauge.QUEUED, name, plugin.queue::waiting);
        parts.log()
                .info(
                        "remora " + parts.options().surroundings().version() + " serving on " + plugin.socket(),
                        LogKey.PLUGIN.is(name),
                        LogKey.SOCKET.is(plugin.socket().toString()));
        if (!definition.discoveryConfigured()) {
            parts.log()
                    .info(
                            "No discovery configuration is defined for plugin " + definition.name()
                                    + ". To use this plugin, specify \"" + name
                                    + "\" in the Application's spec.source.plugin.name field.",
                            LogKey.PLUGIN.is(name));
        }
        IsolationNotes.tell(parts, definition);
        return plugin;
    }

    PluginDefinition definition() {
        return definition.get();
    }

    Path socket() {
        return server.socket();
    }

    AdmissionQueue queue() {
        return queue;
    }

    /// Serves calls that begin from now on by `next`, which has the same socket.
    void replace(PluginDefinition next) {
        boolean sameSandbox =
                next.settings().sandbox().equals(definition().settings().sandbox());
        definition.set(next);
        if (!sameSandbox) {
            IsolationNotes.tell(parts, next);
        }
        queue.allow(next.settings().limits().parallel());
    }

    /// Makes the socket's file again when it is gone.
    UnixSocketServer.SocketState putBackSocket() {
        return server.putBack();
    }

    void removeSocket() {
        server.removeSocket();
    }

    /// Removes the socket and takes no new calls; running ones go on.
    void refuseNew() {
        server.refuseNew();
    }

    boolean awaitQuiet(long millis) throws InterruptedException {
        return server.awaitQuiet(millis);
    }

    @Override
    public void close() {
        server.close();
        parts.meters().forget(definition().registeredName());
    }
}
