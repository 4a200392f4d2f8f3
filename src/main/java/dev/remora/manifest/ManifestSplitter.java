package dev.remora.manifest;

import java.util.List;

/// Splits a command's output into documents as Argo CD does.
public final class ManifestSplitter {
    private ManifestSplitter() {}

    /// The output without its one trailing newline, as Argo CD takes it.
    public static byte[] trimmed(byte[] stdout) {
        throw new UnsupportedOperationException(String.valueOf(stdout.length));
    }

    /// The documents of the output (already [trimmed][#trimmed]), null ones left out.
    public static List<ManifestDocument> split(byte[] output, SplitOptions options) {
        throw new UnsupportedOperationException(options + String.valueOf(output.length));
    }

    /// As [#split], each document checked by `guard` while it is at hand, so that it need not be read twice.
    public static List<ManifestDocument> split(byte[] output, SplitOptions options, OutputGuard guard) {
        throw new UnsupportedOperationException(options + String.valueOf(output.length) + guard);
    }
}
