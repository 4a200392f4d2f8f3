package dev.remora.archive;

import dev.remora.archive.SparseMap.Fragment;
import java.nio.ByteBuffer;

/// Spreads a sparse file's content over its parts and fills the rest with zeros. What is announced was counted against
/// the limits before.
final class SparseContent {
    private static final int ZEROS = 64 << 10;

    private final SparseMap map;
    private final EntrySink sink;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    private int next;
    private long at;

    SparseContent(SparseMap map, EntrySink sink) {
        this.map = map;
        this.sink = sink;
    }

    /// @throws TarGzException where there is more than the parts take
    void accept(ByteBuffer content) {
        while (content.hasRemaining()) {
            skipFinished();
            if (next == map.fragments().size()) {
                throw new TarGzException(TarGzException.TAR_SPARSE_UNREFERENCED);
            }
            Fragment fragment = map.fragments().get(next);
            fill(fragment.offset());
            int part = (int) Math.min(content.remaining(), fragment.end() - at);
            sink.content(content.slice(content.position(), part));
            content.position(content.position() + part);
            at += part;
        }
    }

    /// @throws TarGzException where a part got too little
    void end() {
        skipFinished();
        if (next < map.fragments().size()) {
            throw new TarGzException(TarGzException.TAR_SPARSE_MISSING);
        }
        fill(map.size());
    }

    private void skipFinished() {
        while (next < map.fragments().size() && isFinished(map.fragments().get(next))) {
            next++;
        }
    }

    private boolean isFinished(Fragment fragment) {
        return fragment.length() == 0 || at >= fragment.end();
    }

    private void fill(long to) {
        while (at < to) {
            int part = (int) Math.min(to - at, ZEROS);
            sink.content(zeros.slice(0, part));
            at += part;
        }
    }
}
