package dev.remora.manifest;

/// How strictly output is split; the defaults depart from Argo CD, [#ARGOCD] does not.
///
/// @param lostDocuments pass over text that Argo CD drops silently (after `...`, a second value in one chunk)
/// @param rawBytes pass on bytes that are not UTF-8, where Argo CD does
/// @param resultBytes the most that all JSON texts together may take
public record SplitOptions(boolean lostDocuments, boolean rawBytes, long resultBytes) {
    /// More than a message between Argo CD's parts can be raised to in practice; aliases can make small text large.
    public static final long DEFAULT_RESULT_BYTES = 512L << 20;

    public static final SplitOptions STRICT = new SplitOptions(false, false, DEFAULT_RESULT_BYTES);
    public static final SplitOptions ARGOCD = new SplitOptions(true, true, DEFAULT_RESULT_BYTES);
}
