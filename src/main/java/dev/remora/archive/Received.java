package dev.remora.archive;

/// What arrived, whatever it is: the bytes' number and their SHA-256 in lower-case hexadecimal.
public record Received(long bytes, String sha256) {}
