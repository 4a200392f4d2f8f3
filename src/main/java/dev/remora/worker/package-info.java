/// Warm workers: processes that stay and render one request after another, by Bazel's JSON worker protocol. In goes
/// what a plugin's command would have got; out comes what it would have printed, or the word that the command itself
/// must be run. See docs/spec/worker.md.
@NullMarked
package dev.remora.worker;

import org.jspecify.annotations.NullMarked;
