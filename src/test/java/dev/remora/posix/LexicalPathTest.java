package dev.remora.posix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The table of Go's own test of `path.Clean`.
class LexicalPathTest {
    @ParameterizedTest
    @CsvSource({
        "'', .",
        "abc, abc",
        "abc/def, abc/def",
        "a/b/c, a/b/c",
        "., .",
        ".., ..",
        "../.., ../..",
        "../../abc, ../../abc",
        "/abc, /abc",
        "/, /",
        "abc/, abc",
        "abc/def/, abc/def",
        "a/b/c/, a/b/c",
        "./, .",
        "../, ..",
        "../../, ../..",
        "/abc/, /abc",
        "abc//def//ghi, abc/def/ghi",
        "//abc, /abc",
        "///abc, /abc",
        "//abc//, /abc",
        "abc//, abc",
        "abc/./def, abc/def",
        "/./abc/def, /abc/def",
        "abc/., abc",
        "abc/def/ghi/../jkl, abc/def/jkl",
        "abc/def/../ghi/../jkl, abc/jkl",
        "abc/def/.., abc",
        "abc/def/../.., .",
        "/abc/def/../.., /",
        "abc/def/../../.., ..",
        "/abc/def/../../.., /",
        "abc/def/../../../ghi/jkl/../../../mno, ../../mno",
        "abc/./../def, def",
        "abc//./../def, def",
        "abc/../../././../def, ../../def"
    })
    void cleansAsGoDoes(String path, String expected) {
        assertThat(LexicalPath.clean(Bytes.utf8(path)).toString()).isEqualTo(expected);
    }

    @Test
    void leavesBytesThatAreNoTextAlone() {
        Bytes name = Bytes.of(new byte[] {'.', '/', (byte) 0xff, '/', '/', (byte) 0xc3});

        assertThat(LexicalPath.clean(name)).isEqualTo(Bytes.of(new byte[] {(byte) 0xff, '/', (byte) 0xc3}));
    }
}
