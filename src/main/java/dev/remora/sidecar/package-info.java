/// The gRPC server: carries calls, decides nothing.
@NullMarked
package dev.remora.sidecar;

import org.jspecify.annotations.NullMarked;
