package dev.remora.archive;

/// What was packed.
///
/// @param files regular files; Argo CD sends nothing when there are none
/// @param excluded entries that were left out, directories counted once
/// @param skipped named pipes, sockets and devices
/// @param compressed bytes of the archive
/// @param sha256 of these, in lower-case hexadecimal
public record PackReport(long files, long excluded, long skipped, long compressed, String sha256) {}
