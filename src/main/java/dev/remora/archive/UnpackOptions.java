package dev.remora.archive;

import java.nio.charset.StandardCharsets;

/// How an archive is judged and written.
///
/// @param limits see [ArchiveLimits]
/// @param preserveFileMode the archive's permission bits instead of 0644 and 0755; both less the umask
/// @param keepLinkText a link's text stays as it is once it is proven harmless, and may name the root; otherwise it
///     is rewritten as Argo CD does (departure `links`)
/// @param throughLinks entries may pass through links that the archive made before, never out of the root; otherwise
///     an entry whose parent is no real directory is refused (departure `unpack-limits`)
/// @param strict types that are otherwise dropped and counted (hard links, devices, ...) are refused
/// @param inputs which entries are unpacked at all; the others are checked and counted like them
public record UnpackOptions(
        ArchiveLimits limits,
        boolean preserveFileMode,
        boolean keepLinkText,
        boolean throughLinks,
        boolean strict,
        EntryFilter inputs) {
    public static final UnpackOptions DEFAULT =
            new UnpackOptions(ArchiveLimits.DEFAULT, false, true, false, false, EntryFilter.ALL);

    /// As Argo CD's own server unpacks.
    public static final UnpackOptions ARGOCD =
            new UnpackOptions(ArchiveLimits.NONE, false, false, true, false, EntryFilter.ALL);

    public UnpackOptions preservingFileMode(boolean preserve) {
        return new UnpackOptions(limits, preserve, keepLinkText, throughLinks, strict, inputs);
    }

    /// Equal for options by which the same archive becomes the same tree.
    public String variant() {
        String rules = limits + " mode=" + preserveFileMode + " text=" + keepLinkText + " through=" + throughLinks
                + " strict=" + strict;
        // One character a byte: other bytes are other inputs.
        return rules + " inputs=" + new String(inputs.key().toArray(), StandardCharsets.ISO_8859_1);
    }

    public UnpackOptions within(ArchiveLimits other) {
        return new UnpackOptions(other, preserveFileMode, keepLinkText, throughLinks, strict, inputs);
    }

    public UnpackOptions seeing(EntryFilter wanted) {
        return new UnpackOptions(limits, preserveFileMode, keepLinkText, throughLinks, strict, wanted);
    }
}
