package dev.remora.process;

/// What all renders of one [CommandRunner] share.
record RenderParts(
        ProcessSettings settings,
        Porter porter,
        ProgramLookup lookup,
        ProcessTable table,
        ProcessesPerUser perUser,
        MemoryEvents memory) {}
