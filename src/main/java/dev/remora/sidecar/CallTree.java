package dev.remora.sidecar;

import dev.remora.archive.EntrySink;
import dev.remora.archive.InputsDigest;
import dev.remora.archive.SkippedNames;
import dev.remora.archive.UnpackOptions;
import dev.remora.archive.WorkspaceSink;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.posix.Bytes;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeKey;
import dev.remora.workspace.Workspace;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The tree that one call works in: lent when it begins, filled with its archive, given back when all that the call
/// started has ended.
final class CallTree implements AutoCloseable {
    private final ServerParts parts;
    private final CallSession call;
    private final UnpackOptions options;
    private final Workspace workspace;
    private final long unendedBefore;
    private boolean outlived;

    private CallTree(ServerParts parts, CallSession call, UnpackOptions options, Workspace workspace) {
        this.parts = parts;
        this.call = call;
        this.options = options;
        this.workspace = workspace;
        this.unendedBefore = parts.runner().unended();
    }

    /// Trees are used again only where nothing outlives a call.
    static RecycleOptions recycling(ServeOptions options) {
        Departures departures = options.rules().departures();
        boolean recycles = departures.departs(Departure.RECYCLE) && departures.departs(Departure.KILL);
        return recycles ? options.places().recycle() : RecycleOptions.OFF;
    }

    static CallTree lend(ServerParts parts, CallSession call) {
        return lend(parts, call, UnaryOperator.identity());
    }

    /// @param placed moves the lent place to where a worker reaches it
    static CallTree lend(ServerParts parts, CallSession call, UnaryOperator<Workspace> placed) {
        UnpackOptions options = parts.unpacking(call);
        TreeKey key = new TreeKey(call.owner(), options.variant());
        return new CallTree(parts, call, options, placed.apply(parts.trees().lend(key, announced(call))));
    }

    private static String announced(CallSession call) {
        return call.metadata().getChecksum().toStringUtf8();
    }

    /// What there is to say of an archive that has arrived.
    ///
    /// @param skipped what `remora.inputs` left out
    /// @param inputs the digest of what a command sees; empty where nobody wants it
    record Arrival(SkippedNames skipped, Optional<String> inputs) {}

    /// As below, for a command.
    SkippedNames fill(RequestStream stream) {
        return fill(stream, false).skipped();
    }

    /// Takes the archive in: all of it is there and verified when this returns.
    ///
    /// @param digest whether the inputs' digest is wanted
    Arrival fill(RequestStream stream, boolean digest) {
        Arrival arrival = workspace.holds(announced(call)) ? proven(stream) : unpacked(stream, digest);
        call.lent(workspace.lending());
        // A recycled tree has passed no digest; its index knows as much.
        return new Arrival(
                arrival.skipped(), digest ? workspace.contentDigest().or(arrival::inputs) : Optional.empty());
    }

    /// The tree holds the archive already, if it proves to be the one that was announced.
    private Arrival proven(RequestStream stream) {
        stream.skim();
        workspace.settle(announced(call), workspace.remark());
        SkippedNames skipped = workspace.remark() instanceof SkippedNames names ? names : SkippedNames.NONE;
        return new Arrival(skipped, Optional.empty());
    }

    private Arrival unpacked(RequestStream stream, boolean digest) {
        EntrySink sink = new WorkspaceSink(workspace, options);
        Optional<InputsDigest> digesting =
                digest ? Optional.of(new InputsDigest(sink, options.preserveFileMode())) : Optional.empty();
        SkippedNames skipped = stream.unpack(
                        digesting.map(EntrySink.class::cast).orElse(sink), options)
                .skipped();
        workspace.settle(announced(call), skipped);
        return new Arrival(skipped, digesting.flatMap(InputsDigest::hex));
    }

    Workspace workspace() {
        return workspace;
    }

    /// Absolute.
    Bytes path() {
        return workspace.path();
    }

    /// Something that stays after the call works in the tree: a worker. It serves one AppProject, and so does the tree,
    /// if it has an owner.
    void outlived() {
        outlived = true;
    }

    /// A process that could not be ended may still write to the tree; without signal domains it may also have hidden,
    /// and then a tree without an owner could pass to another project.
    private boolean mayBeHeld() {
        return parts.runner().unended() != unendedBefore
                || (!call.owner().known() && (outlived || !parts.runner().seesEverything()));
    }

    @Override
    public void close() {
        if (mayBeHeld()) {
            workspace.discard();
        }
        workspace.close();
    }
}
