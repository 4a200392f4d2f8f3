package dev.remora.sandbox;

/// What the commands of one render may not do. It is entered once, by the thread that starts them, and holds for all
/// that they start, for as long as that lives, whatever session it opens (see [Sandbox]).
public sealed interface Fence {
    /// Nothing but what tells one render's processes from another's: for debugging, and for our own commands.
    Fence OPEN = new Open();

    Fence COMPATIBLE = new Compatible();

    /// No fence: new privileges are refused, and signals are scoped where that contains processes.
    record Open() implements Fence {}

    /// Whatever a plugin of Argo CD relies on keeps working: its files, the network. It has no capabilities, signals
    /// nobody else, connects to no abstract socket of others, and reaches no part of the kernel that no renderer
    /// needs.
    record Compatible() implements Fence {}

    /// Besides that: only the files it was given, and only the sockets it was given.
    ///
    /// @param unixSockets whether it may connect by path, also to the sidecar's own socket
    record Strict(FileFence files, Network network, boolean unixSockets) implements Fence {}

    /// Like [Open], but everything that `instead` might refuse is told to `watch`.
    record Watched(AccessWatch watch, Fence instead) implements Fence {}

    /// Which sockets may be made.
    enum Network {
        /// None of an IP family.
        NONE,
        ANY
    }
}
