package dev.remora.manifest;

import java.util.List;

/// What output may not be.
///
/// @param allowEmpty no object at all is an answer
/// @param forbid RE2 patterns that no key and no scalar may contain, besides the defaults
/// @param allowCipherText drop the defaults, which refuse SOPS cipher text and `sops` blocks
/// @param objectsOnly refuse documents without `apiVersion` and `kind`
public record OutputRules(boolean allowEmpty, List<String> forbid, boolean allowCipherText, boolean objectsOnly) {
    public static final OutputRules DEFAULT = new OutputRules(false, List.of(), false, true);
    /// Argo CD's way: nothing is refused.
    public static final OutputRules ARGOCD = new OutputRules(true, List.of(), true, false);

    public OutputRules {
        forbid = List.copyOf(forbid);
    }
}
