package dev.remora.manifest;

/// One document of a command's output.
///
/// `json` is its JSON text (as printed by the command in JSON mode, else compact with sorted keys); `number` counts the
/// documents of the output from 1, null ones included; `line` is where it begins in the output, from 1.
/// The array is shared, not copied: nobody writes to it.
@SuppressWarnings("ArrayRecordComponent") // documents are large and few compare them
public record ManifestDocument(byte[] json, int number, int line) {}
