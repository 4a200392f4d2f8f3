package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Libc;
import dev.remora.posix.Processes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Puts threads behind fences, by what the kernel gives.
///
/// The kernel keeps restrictions by thread, hands them to all that a thread starts, and never takes them back. So each
/// render has a thread of its own that enters and then starts its commands; the rest of the process stays free. Three
/// layers, none of which needs a right: capabilities are dropped; a Landlock domain scopes signals and abstract sockets
/// and fences files and TCP; a filter refuses system calls.
///
/// A thread enters once and never leaves. **It must not start a thread, nor wake a virtual one (which may start a
/// carrier): that thread would be behind the fence too, and a domain made from it would lie within this one.** And what
/// it runs after that is Java, whose classes are loaded when first used: so a fence always lets the runtime and our own
/// classes be read ([OwnCode]).
///
/// Members of a domain can signal one another and nobody else. So `kill(-1)` from the thread reaches exactly what it
/// started, without a list of numbers that may be stale.
public final class Sandbox implements AutoCloseable {
    private final KernelSupport kernel;
    private final boolean scopeSignals;
    private final List<Bytes> ownCode = OwnCode.paths();
    private final InodeGate inodes = new InodeGate();
    /// A filter by its fence, files aside: it says nothing about these, and is the same for every render.
    private final Map<Fence, SeccompProgram> filters = new ConcurrentHashMap<>();

    private final int process = Math.toIntExact(ProcessHandle.current().pid());

    /// @param scopeSignals whether a render's processes are told from others by their domain
    public Sandbox(KernelSupport kernel, boolean scopeSignals) {
        this.kernel = kernel;
        this.scopeSignals = scopeSignals && kernel.has(KernelSupport.Layer.SIGNALS);
    }

    /// Whether this kernel lets a domain scope signals, which is what tells renders apart for certain.
    public static boolean scopesSignals() {
        return Landlock.version() >= Landlock.SCOPES_ABI;
    }

    /// Puts the calling thread, which must be a platform thread of the caller's own, behind `fence`.
    ///
    /// @throws dev.remora.fault.Fault COMMAND_START where the kernel refuses a layer that it has
    public void enter(Fence fence) {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread would restrict its carrier");
        }
        try (Libc libc = Libc.open()) {
            KernelAnswer.checked(Processes.refuseNewPrivileges(), "no_new_privs");
            enterDomain(libc, fence);
            if (fence instanceof Fence.Watched(AccessWatch watch, Fence _)) {
                watch.enter();
            } else if (!(fence instanceof Fence.Open)) {
                Processes.hideMemory();
                Capabilities.drop(libc);
                if (kernel.has(KernelSupport.Layer.SYSTEM_CALLS)) {
                    filter(fence);
                }
            }
        }
    }

    private void filter(Fence fence) {
        Starter starter = new Starter(Processes.threadId(), process);
        SeccompProgram program = starter.program(
                filters.computeIfAbsent(withoutFiles(fence), kind -> FenceFilter.program(Processor.current(), kind)));
        if (fence instanceof Fence.Strict strict) {
            List<Bytes> places = strict.files().writable().stream()
                    .flatMap(path -> WatchedProcess.real(path, true).stream())
                    .toList();
            inodes.answer((int) KernelAnswer.checked(program.installWithListener(), "seccomp"), places);
        } else {
            KernelAnswer.checked(program.install(), "seccomp");
        }
    }

    private static Fence withoutFiles(Fence fence) {
        return fence instanceof Fence.Strict(FileFence _, Fence.Network network, boolean unixSockets)
                ? new Fence.Strict(new FileFence(List.of(), List.of()), network, unixSockets)
                : fence;
    }

    private void enterDomain(Libc libc, Fence fence) {
        long scopes = scopes(fence);
        long files = fence instanceof Fence.Strict && kernel.has(KernelSupport.Layer.FILES)
                ? Landlock.fileRights(kernel.landlock())
                : 0;
        long tcp = fence instanceof Fence.Strict(FileFence _, Fence.Network network, boolean _)
                        && network == Fence.Network.NONE
                        && kernel.has(KernelSupport.Layer.TCP)
                ? Landlock.TCP
                : 0;
        if (scopes == 0 && files == 0 && tcp == 0) {
            return;
        }
        try (Landlock ruleset = Landlock.handling(libc, files, tcp, scopes)) {
            if (files != 0 && fence instanceof Fence.Strict strict) {
                ownCode.forEach(path -> ruleset.allow(path, Landlock.READ));
                strict.files().readable().forEach(path -> ruleset.allow(path, Landlock.READ));
                strict.files().writable().forEach(path -> ruleset.allow(path, Landlock.WRITE));
            }
            ruleset.enter();
        }
    }

    private long scopes(Fence fence) {
        long scopes = scopeSignals ? Landlock.SCOPE_SIGNAL : 0;
        if (!(fence instanceof Fence.Open || fence instanceof Fence.Watched)
                && kernel.has(KernelSupport.Layer.ABSTRACT_SOCKETS)) {
            scopes |= Landlock.SCOPE_ABSTRACT_SOCKET;
        }
        return scopes;
    }

    /// After the last of those behind its fences has ended.
    @Override
    public void close() {
        inodes.close();
    }
}
