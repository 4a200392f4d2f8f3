package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.remora.posix.Bytes;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.PinnedFile;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What a stopped call would do to a file: read once from the caller's registers and memory.
///
/// @param path absolute, as the caller has it; or the name in `/proc` of what a descriptor is
/// @param follow whether a link as the last name is followed
record InodeChange(Bytes path, boolean follow, Action action) {
    /// Those that this understands. By descriptor too: who may read a file of his user's may change its mode.
    static final List<Syscall> CALLS = List.of(
            Syscall.CHMOD,
            Syscall.FCHMOD,
            Syscall.FCHMODAT,
            Syscall.FCHMODAT2,
            Syscall.UTIME,
            Syscall.UTIMES,
            Syscall.FUTIMESAT,
            Syscall.UTIMENSAT);

    private static final int CWD = -100;
    private static final int NO_FOLLOW = 0x100;
    private static final int EMPTY_PATH = 0x1000;
    private static final int MODE_BITS = 07777;
    private static final int WORD = Long.BYTES;
    private static final long NANOS_IN_MICRO = 1_000;
    private static final long MICROS = 1_000_000;

    /// What is done to the file.
    interface Action {
        void on(PinnedFile file) throws ErrnoException;
    }

    /// @throws ErrnoException what the caller gets where his arguments are wrong
    static InodeChange of(Processor processor, Notifications.Waiting call, WatchedProcess process)
            throws ErrnoException {
        long[] arguments = call.arguments();
        Syscall which = CALLS.stream()
                .filter(each -> each.number(processor).stream().anyMatch(number -> number == call.number()))
                .findFirst()
                .orElseThrow();
        return switch (which) {
            case CHMOD -> at(process, CWD, arguments[0], 0, mode(arguments[1]));
            case FCHMOD -> held(process, (int) arguments[0], mode(arguments[1]));
            case FCHMODAT -> at(process, (int) arguments[0], arguments[1], 0, mode(arguments[2]));
            case FCHMODAT2 -> at(process, (int) arguments[0], arguments[1], (int) arguments[3], mode(arguments[2]));
            case UTIME -> at(process, CWD, arguments[0], 0, times(seconds(process, arguments[1])));
            case UTIMES -> at(process, CWD, arguments[0], 0, times(micros(process, arguments[1])));
            case FUTIMESAT ->
                atOrHeld(process, (int) arguments[0], arguments[1], 0, times(micros(process, arguments[2])));
            case UTIMENSAT ->
                atOrHeld(
                        process,
                        (int) arguments[0],
                        arguments[1],
                        (int) arguments[3],
                        times(words(process, arguments[2], 4)));
            default -> throw new IllegalArgumentException("not understood: " + which);
        };
    }

    private static Action mode(long mode) {
        return file -> file.changeMode((int) mode & MODE_BITS);
    }

    private static Action times(Optional<long[]> times) {
        return file -> file.changeTimes(times.map(InodeChange::bytes));
    }

    /// Without a path, what the descriptor itself is.
    private static InodeChange atOrHeld(WatchedProcess process, int folder, long path, int flags, Action action)
            throws ErrnoException {
        return path == 0 ? held(process, folder, action) : at(process, folder, path, flags, action);
    }

    private static InodeChange held(WatchedProcess process, int descriptor, Action action) throws ErrnoException {
        if (descriptor < 0) {
            throw new ErrnoException(Errno.EBADF, "a descriptor below 0");
        }
        return new InodeChange(process.descriptor(descriptor), true, action);
    }

    private static InodeChange at(WatchedProcess process, int folder, long path, int flags, Action action)
            throws ErrnoException {
        Bytes text = process.text(path).orElseThrow(() -> new ErrnoException(Errno.EFAULT, "read a path"));
        if ((flags & ~(NO_FOLLOW | EMPTY_PATH)) != 0) {
            throw new ErrnoException(Errno.EINVAL, "flags " + flags);
        }
        if (text.isEmpty() && (flags & EMPTY_PATH) == 0) {
            throw new ErrnoException(Errno.ENOENT, "an empty path");
        }
        Bytes absolute = process.absolute(folder, text)
                .orElseThrow(() -> new ErrnoException(Errno.ENOENT, "tell where a path begins"));
        return new InodeChange(absolute, (flags & NO_FOLLOW) == 0, action);
    }

    /// `struct utimbuf`.
    private static Optional<long[]> seconds(WatchedProcess process, long address) throws ErrnoException {
        return words(process, address, 2).map(both -> new long[] {both[0], 0, both[1], 0});
    }

    /// Two `struct timeval`.
    private static Optional<long[]> micros(WatchedProcess process, long address) throws ErrnoException {
        Optional<long[]> both = words(process, address, 4);
        if (both.isPresent() && (isOutside(both.get()[1]) || isOutside(both.get()[3]))) {
            throw new ErrnoException(Errno.EINVAL, "microseconds");
        }
        return both.map(times -> new long[] {times[0], times[1] * NANOS_IN_MICRO, times[2], times[3] * NANOS_IN_MICRO});
    }

    private static boolean isOutside(long micros) {
        return micros < 0 || micros >= MICROS;
    }

    /// Nothing where there is no address.
    private static Optional<long[]> words(WatchedProcess process, long address, int count) throws ErrnoException {
        if (address == 0) {
            return Optional.empty();
        }
        Bytes memory =
                process.memory(address, count * WORD).orElseThrow(() -> new ErrnoException(Errno.EFAULT, "read times"));
        long[] words = new long[count];
        MemorySegment from = MemorySegment.ofArray(memory.toArray());
        Arrays.setAll(words, i -> from.get(JAVA_LONG_UNALIGNED, (long) i * WORD));
        return Optional.of(words);
    }

    private static Bytes bytes(long[] words) {
        MemorySegment all = MemorySegment.ofArray(new byte[words.length * WORD]);
        for (int i = 0; i < words.length; i++) {
            all.set(JAVA_LONG_UNALIGNED, (long) i * WORD, words[i]);
        }
        return Bytes.of(all.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }
}
