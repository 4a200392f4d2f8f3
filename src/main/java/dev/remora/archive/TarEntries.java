package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/// Takes a tar stream apart as its bytes are pushed in, checks every entry against the root and the limits, and hands
/// it to
/// a sink. The dialects and their quirks are those of Go's `archive/tar` (`docs/spec/archive.md`, section 3).
///
/// It keeps one block and, for long names, one special record of at most [#MOST_SPECIAL] bytes.
final class TarEntries {
    /// Bytes of one PAX header, GNU long name or sparse map; as in Go's reader.
    static final int MOST_SPECIAL = 1 << 20;

    private static final char REGULAR = '0';
    private static final char OLD_REGULAR = '\0';
    private static final char SYMLINK = '2';
    private static final char DIRECTORY = '5';
    private static final char GNU_SPARSE = 'S';
    private static final char GNU_LONG_NAME = 'L';
    private static final char GNU_LONG_LINK = 'K';
    private static final char PAX = 'x';
    private static final char PAX_GLOBAL = 'g';
    private static final Bytes HERE = Bytes.utf8(".");
    private static final Bytes HERE_SLASH = Bytes.utf8("./");

    private enum State {
        HEADER,
        SPECIAL,
        SPARSE_LINES,
        OLD_SPARSE_MAP,
        CONTENT,
        SKIPPED,
        PADDING,
        OVER
    }

    private final EntrySink sink;
    private final UnpackOptions options;
    private final ArchiveLimits limits;
    private final byte[] block = new byte[TarHeader.BLOCK];
    private int blockLength;
    private boolean zeroBlock;
    private byte[] special = new byte[0];
    private int specialLength;
    private TarHeader header = new TarHeader(Bytes.EMPTY, Bytes.EMPTY, REGULAR, 0, 0, false);
    private PaxRecords pax = PaxRecords.NONE;
    private Optional<Bytes> longName = Optional.empty();
    private Optional<Bytes> longLink = Optional.empty();
    /// Bytes of content in the stream.
    private long stored;

    private Optional<SparseContent> sparse = Optional.empty();
    private SparseLines lines = new SparseLines();
    private Optional<OldSparseBlocks> oldSparse = Optional.empty();
    private long remaining;
    private long padding;
    private State state = State.HEADER;

    private long compressed;
    private long inflated;
    /// Of sparse files: they are not in the stream, but they are written.
    private long zeros;
    private long entries;
    private long files;
    private long directories;
    private long links;
    private long unpacked;
    private long dropped;
    private Optional<String> firstDropped = Optional.empty();

    TarEntries(EntrySink sink, UnpackOptions options) {
        this.sink = sink;
        this.options = options;
        this.limits = options.limits();
    }

    /// Takes all of `bytes`.
    ///
    /// @param compressed how many bytes they and all before them took in the compressed stream, for the ratio
    void accept(ByteBuffer bytes, long compressed) {
        inflated += bytes.remaining();
        this.compressed = compressed;
        checkSize();
        while (bytes.hasRemaining() && state != State.OVER) {
            switch (state) {
                case HEADER, SPARSE_LINES, OLD_SPARSE_MAP -> block(bytes);
                case SPECIAL -> special(bytes);
                case CONTENT -> content(bytes);
                case SKIPPED, PADDING -> skip(bytes);
                case OVER -> throw new IllegalStateException("checked above");
            }
        }
    }

    /// Whether the archive's end was met; what follows is of no interest.
    boolean isOver() {
        return state == State.OVER;
    }

    /// What a fault of the stream interrupts, in Argo CD's words.
    String doing() {
        return state == State.CONTENT ? "error writing tgz file: " : "error while iterating on tar reader: ";
    }

    /// The stream ends here. An archive may lack the blocks of zeros at its end, but no part of an entry.
    void end() {
        boolean cut = state == State.SPECIAL
                || state == State.SPARSE_LINES
                || state == State.OLD_SPARSE_MAP
                || state == State.CONTENT
                || state == State.SKIPPED
                || (state == State.HEADER && blockLength > 0);
        if (cut) {
            throw new TarGzException(TarGzException.UNEXPECTED_EOF);
        }
        sink.finish();
    }

    ArchiveReport report(long compressed, SkippedNames skipped) {
        return new ArchiveReport(compressed, unpacked, files, directories, links, dropped, firstDropped, skipped);
    }

    private void checkSize() {
        if (ArchiveLimits.above(inflated, limits.unpacked())) {
            throw above("brings the archive above " + limits.unpacked() + " bytes unpacked", "unpacked");
        }
        long written = inflated + zeros;
        boolean bomb =
                written > ArchiveLimits.RATIO_FLOOR && limits.ratio() > 0 && written / limits.ratio() > compressed;
        if (bomb) {
            throw above("unpacks to more than " + limits.ratio() + " times its compressed size", "ratio");
        }
    }

    private Fault above(String what, String setting) {
        return LimitFault.of(header.name(), what, setting);
    }

    private void block(ByteBuffer bytes) {
        int part = Math.min(bytes.remaining(), TarHeader.BLOCK - blockLength);
        bytes.get(block, blockLength, part);
        blockLength += part;
        if (blockLength < TarHeader.BLOCK) {
            return;
        }
        blockLength = 0;
        if (state == State.SPARSE_LINES) {
            sparseLines();
        } else if (state == State.OLD_SPARSE_MAP) {
            oldSparse.ifPresent(map -> map.add(block));
            oldSparseMap();
        } else if (TarHeader.isZero(block)) {
            state = zeroBlock ? State.OVER : State.HEADER;
            zeroBlock = true;
        } else if (zeroBlock) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        } else {
            header();
        }
    }

    private void header() {
        header = TarHeader.parse(block);
        switch (header.type()) {
            case PAX, PAX_GLOBAL, GNU_LONG_NAME, GNU_LONG_LINK -> beginSpecial();
            default -> {
                TarHeader whole = pax.applyTo(header);
                Bytes name = longName.orElse(whole.name());
                header = new TarHeader(
                        name,
                        longLink.orElse(whole.linkName()),
                        effectiveType(whole.type(), name),
                        whole.mode(),
                        whole.size(),
                        whole.gnu());
                stored = header.size();
                sparse = Optional.empty();
                PaxRecords records = pax;
                forgetSpecial();
                refuseNegativeSize();
                if (header.type() == GNU_SPARSE) {
                    oldSparse = Optional.of(new OldSparseBlocks(header, block));
                    oldSparseMap();
                } else {
                    perhapsSparse(records);
                }
            }
        }
    }

    private void refuseNegativeSize() {
        if (!TarHeader.isHeaderOnly(header.type()) && header.size() < 0) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
    }

    /// A plain entry, or one whose records make it a sparse file; then its size is what unpacks, not what is stored.
    private void perhapsSparse(PaxRecords records) {
        SparseMap.Kind kind = SparseMap.kind(records);
        if (kind == SparseMap.Kind.NONE) {
            entry();
            return;
        }
        long size = SparseMap.size(records, header.size());
        Bytes name = SparseMap.name(records, header.name());
        header = new TarHeader(name, header.linkName(), header.type(), header.mode(), size, header.gnu());
        boolean headerOnly = TarHeader.isHeaderOnly(header.type());
        if (kind == SparseMap.Kind.CONTENT) {
            lines = new SparseLines();
            contentFollows(State.SPARSE_LINES);
            remaining = headerOnly ? 0 : remaining;
            refuseCutLines();
            return;
        }
        SparseMap map = SparseMap.ofRecords(records, size);
        if (headerOnly) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        sparse = Optional.of(new SparseContent(map, sink));
        entry();
    }

    /// Lines in front of a sparse file's content, which count as content.
    private void sparseLines() {
        lines.add(block);
        stored -= TarHeader.BLOCK;
        remaining = stored;
        if (!lines.isComplete()) {
            refuseCutLines();
            return;
        }
        sparse = Optional.of(new SparseContent(lines.map(header.size()), sink));
        entry();
    }

    private void refuseCutLines() {
        if (remaining < TarHeader.BLOCK) {
            throw new TarGzException(TarGzException.UNEXPECTED_EOF);
        }
    }

    /// Blocks with more of an old sparse file's map come before its content and are not counted by its size.
    private void oldSparseMap() {
        OldSparseBlocks map = oldSparse.orElseThrow();
        if (map.hasMore()) {
            state = State.OLD_SPARSE_MAP;
            return;
        }
        SparseMap _ = map.map();
        oldSparse = Optional.empty();
        entry();
    }

    private void beginSpecial() {
        if (header.size() < 0) {
            throw new TarGzException(TarGzException.TAR_HEADER);
        }
        if (header.size() > MOST_SPECIAL) {
            throw new TarGzException(TarGzException.TAR_FIELD_TOO_LONG);
        }
        stored = header.size();
        specialLength = 0;
        contentFollows(State.SPECIAL);
        if (remaining == 0) {
            specialEnds();
        }
    }

    private void special(ByteBuffer bytes) {
        int part = (int) Math.min(bytes.remaining(), remaining);
        if (special.length < specialLength + part) {
            // Grows with what arrives, not with what is announced.
            special = Arrays.copyOf(special, Math.min(MOST_SPECIAL, 2 * (specialLength + part)));
        }
        bytes.get(special, specialLength, part);
        specialLength += part;
        remaining -= part;
        if (remaining == 0) {
            specialEnds();
        }
    }

    private void specialEnds() {
        state = State.PADDING;
        switch (header.type()) {
            case PAX -> pax = PaxRecords.parse(Bytes.of(special, 0, specialLength));
            case GNU_LONG_NAME -> longName = nonEmpty(TarFields.string(special, 0, specialLength));
            case GNU_LONG_LINK -> longLink = nonEmpty(TarFields.string(special, 0, specialLength));
            default -> {
                // Go's reader checks a global header, shows it as an entry, and applies it to nothing.
                PaxRecords _ = PaxRecords.parse(Bytes.of(special, 0, specialLength));
                forgetSpecial();
                countEntry();
                judge().ifPresent(this::drop);
            }
        }
        special = new byte[0];
        afterContent();
    }

    private static Optional<Bytes> nonEmpty(Bytes text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private void forgetSpecial() {
        pax = PaxRecords.NONE;
        longName = Optional.empty();
        longLink = Optional.empty();
    }

    private void entry() {
        countEntry();
        Optional<EntryPath> path = judge();
        if (path.isEmpty()) {
            skipContent();
        } else {
            dispatch(path.get());
        }
    }

    private void dispatch(EntryPath path) {
        switch (header.type()) {
            case DIRECTORY -> {
                directories++;
                sink.directory(path, header.mode());
                afterHeaderOnly();
            }
            case SYMLINK -> {
                links++;
                checkLink(path);
                sink.symlink(path, header.linkName());
                afterHeaderOnly();
            }
            case REGULAR -> file(path);
            default -> {
                drop(path);
                skipContent();
            }
        }
    }

    /// The oldest archives have one type for files and directories, and tell them apart by a slash at the end.
    private static char effectiveType(char type, Bytes name) {
        if (type != OLD_REGULAR) {
            return type;
        }
        return !name.isEmpty() && name.at(name.length() - 1) == '/' ? DIRECTORY : REGULAR;
    }

    private void countEntry() {
        entries++;
        if (ArchiveLimits.above(entries, limits.files())) {
            throw above("is one of more than " + limits.files() + " entries", "files");
        }
    }

    /// The entry's place; empty for the root, which is there already.
    private Optional<EntryPath> judge() {
        Bytes name = header.name();
        if (name.equals(HERE) || name.equals(HERE_SLASH)) {
            return Optional.empty();
        }
        int longest = Math.max(name.length(), header.linkName().length());
        if (ArchiveLimits.above(longest, limits.nameLength())) {
            throw above("has a name or link text of more than " + limits.nameLength() + " bytes", "nameLength");
        }
        EntryPath path = EntryPath.of(name)
                .orElseThrow(() -> new Fault(FaultCode.ARCHIVE_INVALID, "illegal filepath in archive: " + shown(name)));
        if (ArchiveLimits.above(path.depth(), limits.depth())) {
            throw above("lies more than " + limits.depth() + " directories deep", "depth");
        }
        return Optional.of(path);
    }

    private void checkLink(EntryPath path) {
        Optional<LinkPlace> place = LinkPlace.of(path.parent(), header.linkName());
        boolean rootAllowed = options.keepLinkText() && !header.linkName().isEmpty();
        if (place.isEmpty() || (place.get().isRoot() && !rootAllowed)) {
            Bytes candidate = LexicalPath.join(Bytes.EMPTY, path.parent()).slash(header.linkName());
            throw new Fault(FaultCode.ARCHIVE_INVALID, "illegal filepath in symlink: " + shown(candidate));
        }
    }

    private Bytes shown(Bytes name) {
        return LexicalPath.clean(
                sink.destination().isEmpty() ? name : sink.destination().slash(name));
    }

    private void file(EntryPath path) {
        files++;
        unpacked += header.size();
        if (unpacked < 0 || ArchiveLimits.above(unpacked, limits.unpacked())) {
            throw above("brings the archive above " + limits.unpacked() + " bytes unpacked", "unpacked");
        }
        if (sparse.isPresent()) {
            zeros += Math.max(0, header.size() - stored);
            checkSize();
        }
        sink.file(path, header.mode(), header.size());
        contentFollows(State.CONTENT);
        if (remaining == 0) {
            fileEnds();
        }
    }

    private void content(ByteBuffer bytes) {
        int part = (int) Math.min(bytes.remaining(), remaining);
        ByteBuffer slice = bytes.slice(bytes.position(), part);
        if (sparse.isPresent()) {
            sparse.get().accept(slice);
        } else {
            sink.content(slice);
        }
        bytes.position(bytes.position() + part);
        remaining -= part;
        if (remaining == 0) {
            fileEnds();
        }
    }

    private void fileEnds() {
        sparse.ifPresent(SparseContent::end);
        sink.fileEnd();
        afterContent();
    }

    private void drop(EntryPath path) {
        dropped++;
        char type = header.type();
        if (firstDropped.isEmpty()) {
            firstDropped = Optional.of(path + " (" + DroppedType.words(type) + ")");
        }
        sink.dropped(path, type);
    }

    private void skipContent() {
        if (TarHeader.isHeaderOnly(header.type())) {
            afterHeaderOnly();
            return;
        }
        contentFollows(State.SKIPPED);
        if (remaining == 0) {
            afterContent();
        }
    }

    private void contentFollows(State next) {
        remaining = stored;
        padding = -remaining & TarHeader.BLOCK - 1;
        specialLength = 0;
        state = next;
    }

    private void skip(ByteBuffer bytes) {
        long part = Math.min(bytes.remaining(), remaining);
        bytes.position(bytes.position() + (int) part);
        remaining -= part;
        if (remaining == 0) {
            if (state == State.PADDING) {
                state = State.HEADER;
            } else {
                afterContent();
            }
        }
    }

    private void afterContent() {
        remaining = padding;
        state = padding == 0 ? State.HEADER : State.PADDING;
    }

    private void afterHeaderOnly() {
        remaining = 0;
        padding = 0;
        state = State.HEADER;
    }
}
