package dev.remora.archive;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Counts what a packer does, as it does it. Of one thread.
final class PackTally {
    private static final Comparator<PackedFile> BY_SIZE =
            Comparator.comparingLong(PackedFile::size).thenComparing(PackedFile::path, Comparator.reverseOrder());

    private final PriorityQueue<PackedFile> biggest = new PriorityQueue<>(BY_SIZE);
    private final List<Bytes> leftOut = new ArrayList<>();
    private long files;
    private long content;
    private long excluded;
    private long skipped;

    void packed(Bytes path, long size) {
        files++;
        content += size;
        biggest.add(new PackedFile(path, size));
        if (biggest.size() > PackReport.BIGGEST) {
            biggest.remove();
        }
    }

    void leftOut(Bytes path) {
        excluded++;
        if (leftOut.size() < PackReport.LEFT_OUT) {
            leftOut.add(path);
        }
    }

    void skipped() {
        skipped++;
    }

    PackReport report(long compressed, String sha256) {
        List<PackedFile> largestFirst =
                biggest.stream().sorted(BY_SIZE.reversed()).toList();
        return new PackReport(files, excluded, skipped, content, compressed, sha256, largestFirst, leftOut);
    }
}
