package dev.remora.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// File calls by descriptor and name: each either does what its name says or throws the errno with words.
final class Calls {
    private static final byte NUL = 0;
    private static final long PAGE = 4096;
    private static final int READ_AND_WRITE = 3;
    private static final int MAP_SHARED = 1;
    /// The kernel's own bound for such a list.
    private static final int ATTRIBUTE_NAMES = 64 << 10;

    private Calls() {}

    static int openAt(int directory, Bytes name, int flags, int mode) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long path = path(libc, "open", name);
            while (true) {
                long result = libc.call(CFunction.OPENAT, directory, path, flags, mode);
                if (result != -Errno.EINTR) {
                    return (int) checked(result, "open", name);
                }
            }
        }
    }

    static void close(int descriptor) {
        try (Libc libc = Libc.open()) {
            // The descriptor is gone whatever the result says; Linux reports late write errors only for NFS here.
            long _ = libc.call(CFunction.CLOSE, descriptor);
        }
    }

    static void makeDirectory(int directory, Bytes name, int mode) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            checked(libc.call(CFunction.MKDIRAT, directory, path(libc, "mkdir", name), mode), "mkdir", name);
        }
    }

    static void symlink(Bytes text, int directory, Bytes name) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long target = path(libc, "symlink", text);
            long result = libc.call(CFunction.SYMLINKAT, target, directory, path(libc, "symlink", name));
            checked(result, "symlink", name);
        }
    }

    static Bytes readLink(int directory, Bytes name, int most) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            MemorySegment text = libc.buffer(most);
            long path = path(libc, "readlink", name);
            long length = libc.call(CFunction.READLINKAT, directory, path, text.address(), most);
            return Libc.bytes(text, 0, checked(length, "readlink", name));
        }
    }

    static void unlink(int directory, Bytes name, int flags) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            checked(libc.call(CFunction.UNLINKAT, directory, path(libc, "remove", name), flags), "remove", name);
        }
    }

    static void rename(int from, Bytes name, int to, Bytes newName) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long result =
                    libc.call(CFunction.RENAMEAT, from, path(libc, "rename", name), to, path(libc, "rename", newName));
            checked(result, "rename", name);
        }
    }

    static FileStatus status(int directory, Bytes name, int flags) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            MemorySegment status = libc.buffer(FileStatus.STRUCT_SIZE);
            long path = path(libc, "lstat", name);
            long result = libc.call(CFunction.STATX, directory, path, flags, FileStatus.BASIC_STATS, status.address());
            checked(result, "lstat", name);
            return FileStatus.of(status);
        }
    }

    /// Of an open file or directory.
    static void changeMode(int descriptor, int mode) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            checked(libc.call(CFunction.FCHMOD, descriptor, mode), "chmod", Bytes.EMPTY);
        }
    }

    /// Follows links.
    static void changeMode(Bytes path, int mode) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            checked(libc.call(CFunction.CHMOD, path(libc, "chmod", path), mode), "chmod", path);
        }
    }

    /// @param times two `struct timespec`, or nothing: now
    static void changeTimes(int descriptor, Optional<Bytes> times) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long address = 0;
            if (times.isPresent()) {
                MemorySegment both = libc.allocate(times.get().length());
                MemorySegment.copy(
                        MemorySegment.ofArray(times.get().toArray()),
                        0,
                        both,
                        0,
                        times.get().length());
                address = both.address();
            }
            long result = libc.call(
                    CFunction.UTIMENSAT, descriptor, libc.string(Bytes.EMPTY), address, OpenFlags.AT_EMPTY_PATH);
            checked(result, "utimensat", Bytes.EMPTY);
        }
    }

    static void resize(int descriptor, long size) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            checked(libc.call(CFunction.FTRUNCATE, descriptor, size), "truncate", Bytes.EMPTY);
        }
    }

    static void changeThroughMapping(int descriptor) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            long page = libc.call(CFunction.MMAP, 0, PAGE, READ_AND_WRITE, MAP_SHARED, descriptor, 0);
            checked(page > -PAGE && page < 0 ? page : 0, "mmap", Bytes.EMPTY);
            MemorySegment memory = MemorySegment.ofAddress(page).reinterpret(PAGE);
            byte before = memory.get(ValueLayout.JAVA_BYTE, 0);
            memory.set(ValueLayout.JAVA_BYTE, 0, (byte) (before + 1));
            checked(libc.call(CFunction.MUNMAP, page, PAGE), "munmap", Bytes.EMPTY);
        }
    }

    /// The names of extended attributes, one after another with a NUL behind each.
    static Bytes attributeNames(int descriptor) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            MemorySegment names = libc.buffer(ATTRIBUTE_NAMES);
            long length = libc.call(CFunction.FLISTXATTR, descriptor, names.address(), ATTRIBUTE_NAMES);
            if (length == -Errno.EOPNOTSUPP) {
                return Bytes.EMPTY;
            }
            return Libc.bytes(names, 0, checked(length, "listxattr", Bytes.EMPTY));
        }
    }

    static void rewind(int descriptor) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            checked(libc.call(CFunction.LSEEK, descriptor, 0, 0), "lseek", Bytes.EMPTY);
        }
    }

    static long entries(Libc libc, int descriptor, MemorySegment buffer) throws ErrnoException {
        long filled = libc.call(CFunction.GETDENTS64, descriptor, buffer.address(), buffer.byteSize());
        return checked(filled, "readdir", Bytes.EMPTY);
    }

    static long write(Libc libc, int descriptor, long address, long count) throws ErrnoException {
        while (true) {
            long written = libc.call(CFunction.WRITE, descriptor, address, count);
            if (written != -Errno.EINTR) {
                return checked(written, "write", Bytes.EMPTY);
            }
        }
    }

    static long read(Libc libc, int descriptor, long address, long count) throws ErrnoException {
        while (true) {
            long read = libc.call(CFunction.READ, descriptor, address, count);
            if (read != -Errno.EINTR) {
                return checked(read, "read", Bytes.EMPTY);
            }
        }
    }

    /// False when it would have to wait.
    static boolean lock(int descriptor, int operation) throws ErrnoException {
        try (Libc libc = Libc.open()) {
            while (true) {
                long result = libc.call(CFunction.FLOCK, descriptor, operation);
                if (result == -Errno.EAGAIN) {
                    return false;
                }
                if (result != -Errno.EINTR) {
                    checked(result, "flock", Bytes.EMPTY);
                    return true;
                }
            }
        }
    }

    /// A NUL inside would silently name another file.
    private static long path(Libc libc, String operation, Bytes name) throws ErrnoException {
        if (name.indexOf(NUL, 0) >= 0) {
            throw new ErrnoException(Errno.EINVAL, operation + " " + name);
        }
        return libc.string(name);
    }

    private static long checked(long result, String operation, Bytes name) throws ErrnoException {
        if (result < 0) {
            throw new ErrnoException((int) -result, name.isEmpty() ? operation : operation + " " + name);
        }
        return result;
    }
}
