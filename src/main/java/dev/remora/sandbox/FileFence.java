package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import java.util.List;

/// The only files that a strict render reaches. What is not below one of these paths cannot be opened; names and
/// status of files can still be asked for by whoever knows a path.
///
/// @param readable files, and folders with all below them; absolute; what does not exist is left out
/// @param writable the same, to read, run, write, make and remove
public record FileFence(List<Bytes> readable, List<Bytes> writable) {
    public FileFence {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
    }
}
