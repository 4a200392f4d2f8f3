package dev.remora.process;

import dev.remora.posix.Libc;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// What the commands of one render, or of one standing process, share. Closed when nothing of it is alive any more.
///
/// @param group bounds the whole render, where the kernel lets us
/// @param wake an eventfd: someone wants the render's thread
/// @param buffer for reading pipes
record RenderContext(
        ProcessSettings settings,
        Porter porter,
        CommandLimits limits,
        ProgramLookup lookup,
        ProcessTable table,
        Members members,
        ProcessCounter counter,
        ProcessesPerUser perUser,
        MemoryEvents memory,
        Optional<RenderGroup> group,
        int wake,
        MemorySegment buffer)
        implements AutoCloseable {
    private static final long READ_BUFFER_BYTES = 64 * 1024;

    /// By the thread that starts the commands, which may be behind a fence: what it may not do, the porter does.
    ///
    /// @param libc whose memory the buffer is
    /// @param wake see above
    static RenderContext open(RenderParts parts, CommandLimits limits, Members members, int wake, Libc libc) {
        Optional<RenderGroup> group = limits.memory().isPresent()
                ? parts.porter().ask(() -> parts.groups().open(limits))
                : Optional.empty();
        return new RenderContext(
                parts.settings(),
                parts.porter(),
                limits,
                parts.lookup(),
                parts.table(),
                members,
                new ProcessCounter(limits.processes(), members),
                parts.perUser(),
                parts.memory(),
                group,
                wake,
                libc.buffer(READ_BUFFER_BYTES));
    }

    @Override
    public void close() {
        group.ifPresent(bounded -> porter.post(bounded::close));
    }

    boolean asArgoCd() {
        return settings.ending() == ProcessSettings.Ending.AS_ARGOCD;
    }
}
