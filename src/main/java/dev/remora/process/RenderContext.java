package dev.remora.process;

import java.lang.foreign.MemorySegment;

/// What the commands of one render share.
///
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
        int wake,
        MemorySegment buffer) {
    boolean asArgoCd() {
        return settings.ending() == ProcessSettings.Ending.AS_ARGOCD;
    }
}
