package dev.remora.process;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// What the commands of one render share.
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
        MemorySegment buffer) {
    boolean asArgoCd() {
        return settings.ending() == ProcessSettings.Ending.AS_ARGOCD;
    }
}
