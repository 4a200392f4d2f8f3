package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.List;

/// What was packed.
///
/// @param files regular files; Argo CD sends nothing when there are none
/// @param excluded entries that were left out, directories counted once
/// @param skipped named pipes, sockets and devices
/// @param content bytes of all files, uncompressed
/// @param compressed bytes of the archive
/// @param sha256 of these, in lower-case hexadecimal
/// @param biggest the [#BIGGEST] largest files, the largest first
/// @param leftOut the first [#LEFT_OUT] of the entries that were left out
public record PackReport(
        long files,
        long excluded,
        long skipped,
        long content,
        long compressed,
        String sha256,
        List<PackedFile> biggest,
        List<Bytes> leftOut) {
    /// As many as a person reads.
    public static final int BIGGEST = 10;

    /// The names are for people, and memory must not grow with the folder.
    public static final int LEFT_OUT = 100;

    public PackReport {
        biggest = List.copyOf(biggest);
        leftOut = List.copyOf(leftOut);
    }
}
