package dev.remora.archive;

import dev.remora.digest.Sha256;
import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/// Hands on all entries, and digests what of them becomes part of a tree: paths, types, link texts, SHA-256 of
/// contents,
/// and modes where they are kept. Where the next sink digests contents too, its work is used. Times and owners do not
/// count, so two archives of one revision have one digest.
///
/// Entries count in the order in which they come. Archives come in the order of a walk, which is the same for the same
/// files; were it another, an answer would be made once more, and nothing worse. So memory does not grow with the
/// archive.
public final class InputsDigest implements EntrySink {
    private final EntrySink sink;
    private final boolean modes;
    private final MessageDigest digest = Sha256.digest();
    private final MessageDigest content = Sha256.digest();
    private boolean elsewhere;
    private Optional<String> hex = Optional.empty();

    /// @param modes whether the tree has the archive's modes
    public InputsDigest(EntrySink sink, boolean modes) {
        this.sink = sink;
        this.modes = modes;
    }

    /// The digest; empty unless the whole archive came this way, so that one that was not looked into has none.
    public Optional<String> hex() {
        return hex;
    }

    @Override
    public Bytes destination() {
        return sink.destination();
    }

    @Override
    public void directory(EntryPath path, int mode) {
        entry('d', path, mode, 0);
        sink.directory(path, mode);
    }

    @Override
    public void symlink(EntryPath path, Bytes target) {
        entry('l', path, 0, target.length());
        digest.update(target.toArray());
        sink.symlink(path, target);
    }

    @Override
    public void file(EntryPath path, int mode, long size) {
        entry('f', path, mode, size);
        sink.file(path, mode, size);
        elsewhere = sink.digestsContent();
    }

    @Override
    public void content(ByteBuffer part) {
        if (!elsewhere) {
            content.update(part.duplicate());
        }
        sink.content(part);
    }

    @Override
    public void fileEnd() {
        sink.fileEnd();
        digest.update(elsewhere ? sink.contentDigest().toArray() : content.digest());
    }

    @Override
    public void dropped(EntryPath path, char type) {
        sink.dropped(path, type);
    }

    @Override
    public void finish() {
        sink.finish();
        hex = Optional.of(HexFormat.of().formatHex(digest.digest()));
    }

    @Override
    public void close() {
        sink.close();
    }

    /// The lengths of all that follows come first, so that no entry runs into the next.
    private void entry(char type, EntryPath path, int mode, long follows) {
        byte[] name = path.path().toArray();
        ByteBuffer head = ByteBuffer.allocate(Character.BYTES + 2 * Integer.BYTES + Long.BYTES)
                .order(ByteOrder.BIG_ENDIAN)
                .putChar(type)
                .putInt(modes ? mode : 0)
                .putInt(name.length)
                .putLong(follows);
        digest.update(head.flip());
        digest.update(name);
    }
}
