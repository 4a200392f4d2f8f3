package dev.remora.render;

import dev.remora.discovery.Verdict;
import java.util.Optional;

/// One plugin and whether it wants a source.
///
/// @param verdict its answer; empty: it was not asked, or could not be
/// @param failure why it could not be asked
public record Asked(KnownPlugin plugin, Optional<Verdict> verdict, Optional<String> failure) {}
