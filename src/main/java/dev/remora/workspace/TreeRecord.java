package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import java.util.List;
import java.util.Optional;

/// What an unpacking tells of what it makes, and what it learns of what lies there from before.
///
/// An entry from before is *old* until the unpacking *adopts* it, because the archive has the same again, or removes
/// it. Old entries must not influence what an archive becomes: whoever comes to a name asks here first.
public interface TreeRecord {
    /// For a folder that was empty and is nobody's afterwards.
    TreeRecord NONE = new NoRecord();

    /// Whether anything is made of what is told, digests above all.
    boolean keeps();

    /// Whether an old entry has the name.
    boolean isOld(List<Bytes> place, Bytes name);

    /// Takes an old directory that has the mode over. Otherwise removes what is old there.
    boolean adoptDirectory(Directory parent, List<Bytes> place, Bytes name, int mode) throws ErrnoException;

    /// Takes an old link with the text over. Otherwise removes what is old there.
    boolean adoptLink(Directory parent, List<Bytes> place, Bytes name, Bytes text) throws ErrnoException;

    /// The SHA-256 of an old file with that mode and size, which may be adopted if its content is right. Otherwise
    /// removes what is old there.
    Optional<Bytes> oldFile(Directory parent, List<Bytes> place, Bytes name, int mode, long size) throws ErrnoException;

    /// The old file has the right content.
    void adoptFile(List<Bytes> place, Bytes name);

    /// Removes the old file.
    void dropFile(Directory parent, List<Bytes> place, Bytes name) throws ErrnoException;

    void madeDirectory(List<Bytes> place, Bytes name, int mode);

    void madeLink(Directory parent, List<Bytes> place, Bytes name, Bytes text) throws ErrnoException;

    /// A file was written, or written anew.
    ///
    /// @param status after its last byte
    void madeFile(List<Bytes> place, Bytes name, int mode, Bytes sha256, FileStatus status);

    /// All entries of the archive are there: removes what is still old. Directories' modes may still change.
    void finish(Directory root) throws ErrnoException;

    /// A directory got its last mode after that.
    void modeSet(List<Bytes> place, FileStatus status);

    /// Gives space back that nobody uses; false when there is none.
    boolean makeRoom();
}
