package dev.remora.discovery;

import dev.remora.archive.EntryPath;
import dev.remora.archive.UnpackOptions;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule;
import dev.remora.posix.Bytes;
import java.util.List;

/// Run in a Java of its own with a small heap by [MillionNamesTest]: a million entries, one rule, one line for the
/// answer.
final class MillionNames {
    private static final int FOLDERS = 1_000;
    private static final int FILES_IN_EACH = 1_000;

    private MillionNames() {}

    public static void main(String[] args) {
        DiscoverRule rule =
                args[0].equals("fileName") ? new DiscoverRule.FileName(args[1]) : new DiscoverRule.FindGlob(args[1]);
        var matcher = new RepositoryMatcher(Definitions.with(rule), Departures.NONE_SWITCHED_BACK, name -> "");
        long start = System.nanoTime();
        NameTreeSink names = matcher.names(Bytes.utf8("."), UnpackOptions.DEFAULT);
        for (int folder = 0; folder < FOLDERS; folder++) {
            Bytes folderName = Bytes.utf8("folder-" + folder);
            for (int file = 0; file < FILES_IN_EACH; file++) {
                Bytes fileName = Bytes.utf8("manifest-" + file + ".yaml");
                names.file(new EntryPath(List.of(folderName, fileName)), 0644, 0);
            }
        }
        long passed = System.nanoTime();
        Verdict verdict = matcher.onNames(names);
        System.out.println(verdict.supported() + " " + (passed - start) / 1_000_000 + "ms to pass, "
                + (System.nanoTime() - passed) / 1_000_000 + "ms to judge");
    }
}
