/// Logs, meters, spans: what happened, for which call, how long it took.
@NullMarked
package dev.remora.telemetry;

import org.jspecify.annotations.NullMarked;
