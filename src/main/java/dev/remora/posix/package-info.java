/// The C library with names as bytes: files, times, processes, waiting. In: bytes and numbers. Out: results or an
/// errno.
@NullMarked
package dev.remora.posix;

import org.jspecify.annotations.NullMarked;
