package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One use of the C library: memory that lives until it is closed, and calls whose result is, as the kernel gives it,
/// the value or the negated errno.
///
/// Every call goes through one linked shape, six `long` in and one out, with the function's address as a parameter:
/// linking a shape costs tens of milliseconds, calling it nanoseconds. On the 64-bit ABIs of Linux (x86-64, AArch64)
/// integers and pointers of all widths, also of variadic functions, travel in the same registers, so that one shape
/// serves all of [CFunction].
///
/// ```java
/// try (Libc libc = Libc.open()) {
///     long fd = libc.call(CFunction.OPEN, libc.string(path), O_RDONLY, 0);   // -2 for ENOENT
/// }
/// ```
///
/// For one thread, the one that opened it.
public final class Libc implements AutoCloseable {
    private static final int PARAMETERS = 6;
    private static final long WORD = 8;
    /// Fit for anything that C may lay there.
    static final long ALIGNMENT = 2 * WORD;
    /// Pieces up to this share a block.
    private static final long SMALL_PIECE = 8 << 10;

    private final Arena arena = Arena.ofConfined();
    private final List<Scratch> blocks = new ArrayList<>(2);
    /// Of the block that small pieces are cut from.
    private MemorySegment free = MemorySegment.NULL;
    private final MemorySegment errno = buffer(Linked.CAPTURE.byteSize());

    private Libc() {}

    public static Libc open() {
        return new Libc();
    }

    /// Links now what would be linked by the first call.
    public static void link() {
        try (Libc libc = open()) {
            long _ = libc.call(CFunction.CLOSE, -1);
        }
    }

    /// Why this system's C library cannot serve us: empty on Linux with glibc from 2.34 on.
    public static Optional<String> unsupported() {
        String system = System.getProperty("os.name", "");
        String machine = System.getProperty("os.arch", "");
        if (!system.toLowerCase(Locale.ROOT).equals("linux")) {
            return Optional.of("this is " + system + ", not Linux");
        }
        if (!List.of("amd64", "aarch64").contains(machine)) {
            return Optional.of("the processor is " + machine + ", not amd64 or aarch64");
        }
        List<String> missing = CFunction.missing();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the C library lacks " + String.join(", ", missing) + "; glibc 2.34 or newer is needed");
    }

    /// The function's result, or its errno negated where it returned -1.
    public long call(CFunction function, long... arguments) {
        long result = Linked.call(function, errno, arguments);
        return result == -1 ? -errno.get(JAVA_INT, Linked.ERRNO) : result;
    }

    /// Zeroed memory, aligned for anything.
    public MemorySegment allocate(long bytes) {
        return buffer(bytes).fill((byte) 0);
    }

    /// Memory to be written before it is read, aligned for anything: nobody knows what is in it.
    public MemorySegment buffer(long bytes) {
        if (bytes > SMALL_PIECE) {
            return block(bytes).map(block -> block.asSlice(0, bytes)).orElseGet(() -> arena.allocate(bytes, ALIGNMENT));
        }
        long taken = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        if (taken > free.byteSize()) {
            free = block(SMALL_PIECE).orElseThrow();
        }
        MemorySegment piece = free.asSlice(0, bytes);
        free = free.asSlice(taken);
        return piece;
    }

    private Optional<MemorySegment> block(long bytes) {
        Optional<Scratch> block = Scratch.lend(bytes, arena);
        block.ifPresent(blocks::add);
        return block.map(Scratch::memory);
    }

    /// The address of the bytes with a NUL behind. A NUL within ends the string for C: callers refuse it before.
    public long string(Bytes value) {
        MemorySegment memory = buffer(value.length() + 1L);
        MemorySegment.copy(value.unsafeArray(), 0, memory, JAVA_BYTE, 0, value.length());
        memory.set(JAVA_BYTE, value.length(), (byte) 0);
        return memory.address();
    }

    /// The address of a NULL-terminated vector of strings, as `argv` and `envp` are.
    public long strings(List<Bytes> values) {
        MemorySegment vector = allocate((values.size() + 1L) * WORD);
        for (int i = 0; i < values.size(); i++) {
            vector.set(JAVA_LONG, i * WORD, string(values.get(i)));
        }
        return vector.address();
    }

    /// `length` bytes of `memory` as a value.
    public static Bytes bytes(MemorySegment memory, long from, long length) {
        return Bytes.of(memory.asSlice(from, length).toArray(JAVA_BYTE));
    }

    @Override
    public void close() {
        arena.close();
        blocks.forEach(Scratch::close);
    }

    /// The one shape, linked when first used.
    private static final class Linked {
        static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
        static final long ERRNO = CAPTURE.byteOffset(PathElement.groupElement("errno"));
        private static final MethodHandle SHAPE = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        Linker.Option.captureCallState("errno"));

        @SuppressWarnings("checkstyle:IllegalCatch")
        static long call(CFunction function, MemorySegment errno, long... a) {
            if (a.length > PARAMETERS) {
                throw new IllegalArgumentException("more than six arguments");
            }
            try {
                long result = (long) SHAPE.invokeExact(
                        function.address(), errno, at(a, 0), at(a, 1), at(a, 2), at(a, 3), at(a, 4), at(a, 5));
                return function.returnsLong() ? result : (int) result;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        private static long at(long[] arguments, int index) {
            return index < arguments.length ? arguments[index] : 0;
        }
    }
}
