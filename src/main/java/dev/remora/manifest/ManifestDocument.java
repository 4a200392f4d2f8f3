package dev.remora.manifest;

/// One document of a command's output. The array is shared, not copied: nobody writes to it.
///
/// @param json its JSON text: as the command printed it in JSON mode, else compact with sorted keys
/// @param number counts the documents of the output from 1, null ones included
/// @param line where it begins in the output, from 1
/// @param objects how many objects it is once lists are taken apart as Argo CD does: 0 for an empty list
@SuppressWarnings("ArrayRecordComponent") // documents are large, and none is compared
public record ManifestDocument(byte[] json, int number, int line, int objects) {}
