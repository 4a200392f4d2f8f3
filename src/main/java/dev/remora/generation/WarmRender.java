package dev.remora.generation;

import dev.remora.posix.Bytes;
import dev.remora.worker.WorkerLease;

/// What a render needs beside its request to be done by a worker.
///
/// @param lease stays its borrower's to close
/// @param workspace the root of the unpacked repository, absolute
/// @param verbosity what the worker is asked to say on standard error: 0, or more
public record WarmRender(WorkerLease lease, Bytes workspace, int verbosity) {}
