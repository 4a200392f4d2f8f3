package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;

/// Takes an archive's entries in their order while the stream arrives. Whatever it throws ends the unpacking.
///
/// Names are checked before they come: inside the root, within the limits. A file comes as one [#file], any number of
/// [#content] and one [#fileEnd].
public interface EntrySink extends AutoCloseable {
    /// Where entries go, for messages; empty when nowhere.
    default Bytes destination() {
        return Bytes.EMPTY;
    }

    void directory(EntryPath path, int mode);

    /// A link.
    ///
    /// @param target its text as the archive has it; it does not leave the root when read word by word
    void symlink(EntryPath path, Bytes target);

    void file(EntryPath path, int mode, long size);

    /// A part of the current file, to be used before returning. It may lie outside the heap.
    void content(ByteBuffer part);

    void fileEnd();

    /// Whether this takes the SHA-256 of the file that has begun, so that nobody else need do that work.
    default boolean digestsContent() {
        return false;
    }

    /// The SHA-256 of the file that ended last, if it was taken.
    default Bytes contentDigest() {
        return Bytes.EMPTY;
    }

    /// An entry of a type that is not unpacked: a hard link, a device, ...
    ///
    /// @param type the letter in the tar header
    void dropped(EntryPath path, char type);

    /// All entries came and the archive is whole.
    void finish();

    /// Lets go of what is open; also after a failure.
    @Override
    void close();
}
