package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeRemark;
import dev.remora.workspace.Workspace;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /// What is written to a recycled tree is digested there.
    @Test
    void takesNoDigestOfContentThatTheNextSinkTakes() {
        byte[] one = new FakeArchive().file("a", "one").end().gzip();
        byte[] two = new FakeArchive().file("a", "two").end().gzip();

        assertThat(digestBefore(new DigestingSink(), one))
                .isPresent()
                .isEqualTo(digestBefore(new DigestingSink(), two));
    }

    @Test
    void isTheSameWhoeverDigestsTheContents(@TempDir Path base) {
        byte[] archive = base().file("large", "0123456789".repeat(30_000)).end().gzip();
        try (PooledTrees trees = new PooledTrees(base, RecycleOptions.DEFAULT, notice -> {})) {
            for (int call = 0; call < 2; call++) {
                try (Workspace workspace = trees.pool().lend(PooledTrees.key("r", "p"), "other " + call)) {
                    WorkspaceSink sink = new WorkspaceSink(workspace, PooledTrees.OPTIONS);
                    assertThat(sink.digestsContent()).isTrue();
                    assertThat(digestBefore(sink, archive)).isEqualTo(digest(archive));
                    workspace.settle(PooledTrees.name(archive), TreeRemark.NONE);
                }
            }
        }
    }

    private static Optional<String> digestBefore(EntrySink sink, byte[] archive) {
        return digest(new InputsDigest(sink, false), archive, UnpackOptions.DEFAULT);
    }

    /// Says that it has digested, and always the same.
    private static final class DigestingSink extends FakeSink {
        @Override
        public boolean digestsContent() {
            return true;
        }

        @Override
        public Bytes contentDigest() {
            return Bytes.utf8("digest");
        }
    }

    private static FakeArchive base() {
        return new FakeArchive().file("a", "a").directory("b").file("b/c", "c");
    }

    private static Optional<String> digest(byte[] archive) {
        return digest(archive, UnpackOptions.DEFAULT, false);
    }

    private static Optional<String> digest(byte[] archive, UnpackOptions options, boolean modes) {
        return digest(new InputsDigest(new FakeSink(), modes), archive, options);
    }

    private static Optional<String> digest(InputsDigest digest, byte[] archive, UnpackOptions options) {
        try (TarGzUnpacker unpacker = new TarGzUnpacker(digest, options)) {
            unpacker.accept(ByteBuffer.wrap(archive));
            ArchiveReport _ = unpacker.finish();
        }
        return digest.hex();
    }
}
