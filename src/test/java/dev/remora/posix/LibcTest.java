package dev.remora.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LibcTest {
    @Test
    void thisSystemIsSupported() {
        assertThat(Libc.unsupported()).isEmpty();
    }

    @Test
    void givesTheResultOfACall() {
        try (Libc libc = Libc.open()) {
            long fd = libc.call(CFunction.OPEN, libc.string(Bytes.utf8("/dev/zero")), 0, 0);
            assertThat(fd).isGreaterThan(2);

            MemorySegment buffer = libc.allocate(16);
            buffer.fill((byte) 7);
            assertThat(libc.call(CFunction.READ, fd, buffer.address(), 4)).isEqualTo(4);

            assertThat(Libc.bytes(buffer, 2, 4).toArray()).containsExactly(0, 0, 7, 7);
            assertThat(libc.call(CFunction.CLOSE, fd)).isZero();
        }
    }

    @Test
    void givesTheErrnoNegated() {
        try (Libc libc = Libc.open()) {
            assertThat(libc.call(CFunction.CLOSE, -1)).isEqualTo(-9);
            assertThat(libc.call(CFunction.OPEN, libc.string(Bytes.utf8("/no/such/file")), 0, 0))
                    .isEqualTo(-Errno.ENOENT);
        }
    }

    @Test
    void writesStringsAsBytesWithANulBehind() {
        try (Libc libc = Libc.open()) {
            long vector = libc.strings(List.of(Bytes.utf8("ab"), Bytes.of(new byte[] {(byte) 0xff})));

            MemorySegment pointers = MemorySegment.ofAddress(vector).reinterpret(24);
            long second = pointers.get(java.lang.foreign.ValueLayout.JAVA_LONG, 8);
            assertThat(pointers.get(java.lang.foreign.ValueLayout.JAVA_LONG, 16))
                    .isZero();
            assertThat(Libc.bytes(MemorySegment.ofAddress(second).reinterpret(2), 0, 2)
                            .toArray())
                    .containsExactly(0xff, 0);
        }
    }

    @Test
    void wordsErrorsAsArgoCdDoes() {
        assertThat(Errno.text(Errno.ENAMETOOLONG)).isEqualTo("file name too long");
        assertThat(Errno.text(4242)).isEqualTo("errno 4242");
    }
}
