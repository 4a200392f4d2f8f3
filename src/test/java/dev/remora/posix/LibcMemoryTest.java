package dev.remora.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Memory that is lent again: nobody sees what another left, or uses it too late.
class LibcMemoryTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 144, 8 << 10, (8 << 10) + 1, 64 << 10, 128 << 10, 1 << 20})
    void isZeroedAlsoWhereItWasUsedBefore(long bytes) {
        for (int i = 0; i < 3; i++) {
            try (Libc libc = Libc.open()) {
                MemorySegment memory = libc.allocate(bytes);
                assertThat(memory.byteSize()).isEqualTo(bytes);
                assertThat(memory.address() % 16).isZero();
                assertThat(memory.toArray(JAVA_BYTE)).containsOnly(0);
                memory.fill((byte) 7);
            }
        }
    }

    @Test
    void endsStringsWhateverWasThereBefore() {
        for (int i = 0; i < 2; i++) {
            try (Libc libc = Libc.open()) {
                MemorySegment.ofAddress(libc.string(Bytes.utf8("a long string")))
                        .reinterpret(14)
                        .fill((byte) 7);
            }
            try (Libc libc = Libc.open()) {
                assertThat(MemorySegment.ofAddress(libc.string(Bytes.utf8("short")))
                                .reinterpret(6)
                                .getString(0))
                        .isEqualTo("short");
            }
        }
    }

    @Test
    void givesEveryPieceToOneUseAlone() {
        try (Libc one = Libc.open();
                Libc other = Libc.open()) {
            List<MemorySegment> pieces = new ArrayList<>();
            for (int i = 1; i < 2_000; i += 7) {
                pieces.add(one.buffer(i));
                pieces.add(other.buffer(i));
                pieces.add(one.buffer(20L * i));
            }
            for (int i = 0; i < pieces.size(); i++) {
                pieces.get(i).fill((byte) i);
            }
            for (int i = 0; i < pieces.size(); i++) {
                assertThat(pieces.get(i).toArray(JAVA_BYTE)).containsOnly(i);
            }
        }
    }

    @Test
    void isOutOfReachOnceGivenBack() {
        MemorySegment kept;
        try (Libc libc = Libc.open()) {
            kept = libc.buffer(10);
        }
        assertThatThrownBy(() -> kept.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }
}
