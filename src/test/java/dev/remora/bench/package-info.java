/// Measures plugin servers: ours, and in turns with it any other that speaks the protocol. Run by `bench/run`.
///
/// In: how to start each server. Out: a table of medians and their ratios.
@NullMarked
package dev.remora.bench;

import org.jspecify.annotations.NullMarked;
