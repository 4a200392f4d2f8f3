package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.remora.posix.Bytes;
import dev.remora.posix.CFunction;
import dev.remora.posix.Descriptors;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.LexicalPath;
import dev.remora.posix.Libc;
import dev.remora.posix.PinnedFile;
import dev.remora.posix.ProcFile;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// A thread that waits in a system call, as its supervisor sees it: its memory, folders and descriptors, by `/proc`.
/// Reading them needs the right to trace it, which an unprivileged parent has unless Yama or the user forbids it.
final class WatchedProcess {
    private static final int PATH_MAX = 4096;
    private static final int PAGE = 4096;
    private static final int NAME_BYTES = 64;
    private static final long WORD = 8;
    private static final int CLOSE_ON_EXEC = 02000000;
    private static final int AT_CWD = -100;
    private static final List<Bytes> SELVES = List.of(Bytes.utf8("/proc/self/"), Bytes.utf8("/proc/thread-self/"));

    private final int thread;
    private int refusal;

    WatchedProcess(int thread) {
        this.thread = thread;
    }

    /// Why its memory could not be read: an errno, 0 if it could.
    int refusal() {
        return refusal;
    }

    String program() {
        return ProcFile.text(proc("comm"), NAME_BYTES).map(String::strip).orElse("?");
    }

    /// The string at an address, without its NUL.
    Optional<Bytes> text(long address) {
        for (int length = PAGE - (int) (address % PAGE); length <= PATH_MAX + PAGE; length += PAGE) {
            Optional<Bytes> bytes = memory(address, length);
            int end = bytes.map(all -> all.indexOf((byte) 0, 0)).orElse(-1);
            if (end >= 0) {
                return bytes.map(all -> all.slice(0, end));
            }
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Eight bytes at an address, or 0.
    long word(long address) {
        return memory(address, (int) WORD)
                .map(bytes -> MemorySegment.ofArray(bytes.toArray()).get(JAVA_LONG_UNALIGNED, 0))
                .orElse(0L);
    }

    /// Exactly so many bytes.
    Optional<Bytes> memory(long address, int length) {
        try (Libc libc = Libc.open()) {
            long file = libc.call(CFunction.OPEN, libc.string(Bytes.utf8(proc("mem"))), CLOSE_ON_EXEC, 0);
            if (file < 0) {
                refusal = (int) -file;
                return Optional.empty();
            }
            MemorySegment buffer = libc.buffer(length);
            long count = libc.call(CFunction.PREAD, file, buffer.address(), length, address);
            Descriptors.close((int) file);
            if (count < 0 && count != -Errno.EIO) {
                refusal = (int) -count;
            }
            return count == length ? Optional.of(Libc.bytes(buffer, 0, length)) : Optional.empty();
        }
    }

    /// What `path`, relative to the descriptor of a folder, is from the root on; empty if that cannot be told.
    Optional<Bytes> absolute(int folder, Bytes path) {
        if (LexicalPath.isAbsolute(path)) {
            return Optional.of(LexicalPath.clean(path));
        }
        Bytes name = Bytes.utf8(proc(folder == AT_CWD ? "cwd" : "fd/" + folder));
        return link(name)
                .filter(LexicalPath::isAbsolute)
                .map(base -> LexicalPath.clean(path.isEmpty() ? base : base.slash(path)));
    }

    /// The name of what a descriptor of its is.
    Bytes descriptor(int descriptor) {
        return Bytes.utf8(proc("fd/" + descriptor));
    }

    /// The path as we have to say it where it is the process's own.
    Bytes own(Bytes absolute) {
        for (Bytes self : SELVES) {
            if (absolute.startsWith(self)) {
                return Bytes.utf8(proc("")).plus(absolute.slice(self.length(), absolute.length()));
            }
        }
        return absolute;
    }

    /// The path without links; empty where there is nothing.
    static Optional<Bytes> real(Bytes absolute, boolean followLast) {
        try (PinnedFile file = PinnedFile.open(absolute, followLast)) {
            return Optional.of(file.realPath());
        } catch (ErrnoException nothingThere) {
            return Optional.empty();
        }
    }

    private static Optional<Bytes> link(Bytes path) {
        try (Libc libc = Libc.open()) {
            MemorySegment buffer = libc.buffer(PATH_MAX);
            long length = libc.call(CFunction.READLINKAT, AT_CWD, libc.string(path), buffer.address(), PATH_MAX);
            return length < 0 ? Optional.empty() : Optional.of(Libc.bytes(buffer, 0, length));
        }
    }

    private String proc(String entry) {
        return "/proc/" + thread + "/" + entry;
    }
}
