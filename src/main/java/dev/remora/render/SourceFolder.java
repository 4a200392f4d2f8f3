package dev.remora.render;

import dev.remora.archive.ArchiveLimits;
import dev.remora.archive.EntryFilter;
import dev.remora.archive.PackReport;
import dev.remora.archive.PackSelection;
import dev.remora.archive.TarGzPacker;
import dev.remora.archive.WantedEntries;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.FilePathGlob;
import dev.remora.posix.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/// The folder that stands for a repository's checkout, and what of it is sent.
///
/// @param root absolute
/// @param exclusions patterns of Go's `filepath.Match` on an entry's whole path below the root, as the repo-server's
///     `--plugin-tar-exclude` (docs/spec/archive.md)
/// @param listed the places that are sent; empty: all
public record SourceFolder(Bytes root, List<String> exclusions, Optional<ListedPaths> listed) {
    public SourceFolder {
        exclusions = List.copyOf(exclusions);
        exclusions.forEach(pattern -> FilePathGlob.match(pattern, ""));
    }

    public SourceFolder(Bytes root, List<String> exclusions) {
        this(root, exclusions, Optional.empty());
    }

    /// A folder within, with the same exclusions, which count from there.
    SourceFolder at(Bytes below) {
        return new SourceFolder(below, exclusions, listed);
    }

    SourceFolder listing(ListedPaths paths) {
        return paths.isEmpty() ? this : new SourceFolder(root, exclusions, Optional.of(paths));
    }

    PackSelection selection() {
        return new PackSelection() {
            @Override
            public boolean leavesOut(Bytes path) {
                return excludes(path)
                        || listed.filter(all -> !all.wants(path) && !all.leadsToWanted(path))
                                .isPresent();
            }

            @Override
            public boolean isOnlyStep(Bytes path) {
                return listed.filter(all -> !all.wants(path)).isPresent();
            }
        };
    }

    private boolean excludes(Bytes path) {
        return exclusions.stream().anyMatch(pattern -> FilePathGlob.match(pattern, path.toString()));
    }

    /// Packs what is sent.
    ///
    /// @throws Fault ARCHIVE_PACKING where something cannot be read, or nothing is left to send
    /// @throws IOException where `out` takes no more
    PackReport pack(OutputStream out) throws IOException {
        PackReport packed = TarGzPacker.pack(root, selection(), out);
        requireFiles(packed.files());
        return packed;
    }

    /// As [#pack], for an unpacker in this process.
    ///
    /// @param wanted what of it the unpacker lets through; the rest need not come
    /// @param limits the unpacker's
    PackReport packForHere(OutputStream out, EntryFilter wanted, ArchiveLimits limits) throws IOException {
        PackSelection part = wanted.all() ? selection() : new WantedEntries(selection(), wanted);
        // How much smaller an archive is than its content counts only where somebody set that limit.
        boolean small = limits.ratio() != 0 && limits.ratio() < ArchiveLimits.DEFAULT.ratio();
        PackReport packed = small ? TarGzPacker.pack(root, part, out) : TarGzPacker.packForHere(root, part, out);
        if (wanted.all()) {
            requireFiles(packed.files());
        }
        return packed;
    }

    /// As the repo-server, which sends nothing rather than an empty folder.
    void requireFiles(long files) {
        if (files == 0) {
            throw new Fault(FaultCode.ARCHIVE_PACKING, "no files to send(" + root + ")");
        }
    }

    /// What would be sent, measured by packing it to nowhere.
    public PackReport measure() {
        try {
            return TarGzPacker.pack(root, selection(), OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new Fault(FaultCode.INTERNAL, "packing to nowhere: " + Fault.words(e), e);
        }
    }
}
