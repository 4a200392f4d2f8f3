package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InputsDigestTest {
    @Test
    void isTheSameForTheSameFilesHoweverTheyWerePacked() {
        byte[] archive = base().end().gzip();
        byte[] other = base().end().raw(new byte[2048]).gzip();

        assertThat(other).isNotEqualTo(archive);
        assertThat(digest(archive)).isPresent().isEqualTo(digest(other));
    }

    @Test
    void differsWithAnythingThatACommandCouldSee() {
        Optional<String> digest = digest(base().end().gzip());

        assertThat(digest(base().file("more", "").end().gzip())).isNotEqualTo(digest);
        assertThat(digest(base().directory("empty").end().gzip())).isNotEqualTo(digest);
        assertThat(digest(base().link("l", "a").end().gzip()))
                .isNotEqualTo(digest(base().link("l", "b").end().gzip()));
        assertThat(digest(base().file("x", "ab").file("y", "c").end().gzip()))
                .isNotEqualTo(digest(base().file("x", "a").file("y", "bc").end().gzip()));
    }

    @Test
    void modesCountWhereTheyAreKept() {
        byte[] plain = new FakeArchive().file("a", 0644, "a").end().gzip();
        byte[] executable = new FakeArchive().file("a", 0755, "a").end().gzip();

        assertThat(digest(plain)).isEqualTo(digest(executable));
        assertThat(digest(plain, UnpackOptions.DEFAULT, true))
                .isNotEqualTo(digest(executable, UnpackOptions.DEFAULT, true));
    }

    @Test
    void whatInputsLeavesOutDoesNotCount() {
        UnpackOptions narrow = UnpackOptions.DEFAULT.seeing(EntryFilter.of(List.of("/b"), Bytes.utf8(".")));

        assertThat(digest(base().end().gzip(), narrow, false))
                .isEqualTo(digest(base().file("c", "c").end().gzip(), narrow, false))
                .isNotEqualTo(digest(base().file("b/d", "d").end().gzip(), narrow, false));
    }

    @Test
    void anArchiveThatWasNotLookedIntoHasNone() {
        assertThat(new InputsDigest(new FakeSink(), false).hex()).isEmpty();
    }

    private static FakeArchive base() {
        return new FakeArchive().file("a", "a").directory("b").file("b/c", "c");
    }

    private static Optional<String> digest(byte[] archive) {
        return digest(archive, UnpackOptions.DEFAULT, false);
    }

    private static Optional<String> digest(byte[] archive, UnpackOptions options, boolean modes) {
        InputsDigest digest = new InputsDigest(new FakeSink(), modes);
        try (TarGzUnpacker unpacker = new TarGzUnpacker(digest, options)) {
            unpacker.accept(ByteBuffer.wrap(archive));
            ArchiveReport _ = unpacker.finish();
        }
        return digest.hex();
    }
}
