package dev.remora.process;

import java.util.concurrent.atomic.AtomicLong;

/// What all renders of one [CommandRunner] share.
///
/// @param unended renders of which something lived on although it was killed
record RenderParts(
        ProcessSettings settings,
        Porter porter,
        ProgramLookup lookup,
        ProcessTable table,
        ProcessesPerUser perUser,
        MemoryEvents memory,
        ControlGroups groups,
        AtomicLong unended) {}
