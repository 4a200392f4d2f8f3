/// The wire, both ends: the Unix socket, and gRPC callbacks made into blocking calls.
@NullMarked
package dev.remora.protocol;

import org.jspecify.annotations.NullMarked;
