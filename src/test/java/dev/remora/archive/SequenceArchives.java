package dev.remora.archive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Archives that resemble one another: each is the one before with a few entries changed, also into another type, or
/// the same again. Names are few, so that files become folders, names differ by case, and entries come twice.
final class SequenceArchives {
    private static final List<String> NAMES = List.of("a", "A", "b", "c d", "e.yaml", "dir", "Dir", "x");
    private static final int[] MODES = {0644, 0755, 0600, 0444, 0400};
    private static final int[] FOLDER_MODES = {0755, 0755, 0755, 0700, 0500, 0555, 0300, 0000};
    private static final int MOST_ENTRIES = 18;
    private static final int LARGE = FileComparison.IN_MEMORY + 70_000;

    private final Random random;
    private final boolean oddities;
    private List<Entry> entries = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] name, char type, int mode, String text) {}

    /// @param oddities whether archives may be such that unpacking refuses them
    SequenceArchives(Random random, boolean oddities) {
        this.random = random;
        this.oddities = oddities;
        int count = random.nextInt(1, MOST_ENTRIES);
        for (int i = 0; i < count; i++) {
            entries.add(entry());
        }
        tidy();
    }

    byte[] next() {
        int changes = random.nextInt(6) - 2;
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(entries.size() + 1);
            switch (random.nextInt(4)) {
                case 0 -> entries.add(at, entry());
                case 1 -> remove(at);
                case 2 -> change(at);
                default -> entries.add(at, entry());
            }
        }
        if (changes > 0) {
            tidy();
        }
        return packed();
    }

    private void remove(int at) {
        if (at < entries.size() && entries.size() > 1) {
            entries.remove(at);
        }
    }

    /// Another content, type or mode under the same name.
    private void change(int at) {
        if (at < entries.size()) {
            Entry fresh = entry();
            entries.set(at, new Entry(entries.get(at).name(), fresh.type(), fresh.mode(), fresh.text()));
        }
    }

    private Entry entry() {
        StringBuilder name = new StringBuilder(pick());
        for (int depth = random.nextInt(4); depth > 0; depth--) {
            name.append('/').append(pick());
        }
        byte[] bytes = name.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(12) == 0) {
            bytes[bytes.length - 1] = (byte) 0xff;
        }
        return switch (random.nextInt(8)) {
            case 0 -> new Entry(bytes, '5', FOLDER_MODES[random.nextInt(FOLDER_MODES.length)], "");
            case 1 -> new Entry(bytes, '2', 0777, random.nextBoolean() ? pick() : pick() + "/" + pick());
            default -> new Entry(bytes, '0', MODES[random.nextInt(MODES.length)], text());
        };
    }

    private String pick() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    /// Often of equal length, so that only the content differs.
    private String text() {
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> Integer.toString(random.nextInt(3)).repeat(LARGE);
            case 2 -> "0".repeat(LARGE - 1) + random.nextInt(3);
            default -> "content " + random.nextInt(4);
        };
    }

    /// Takes out what would be refused: unless that is wanted, every name is given once and lies below folders only.
    private void tidy() {
        if (oddities) {
            return;
        }
        List<Entry> kept = new ArrayList<>();
        for (Entry entry : entries) {
            String name = text(entry);
            boolean clashes = kept.stream().anyMatch(other -> {
                String there = text(other);
                return there.equals(name)
                        || there.startsWith(name + "/")
                        || (name.startsWith(there + "/") && other.type() != '5');
            });
            if (!clashes && (entry.type() != '2' || isMade(parent(name), kept))) {
                kept.add(entry);
            }
        }
        entries = kept;
    }

    /// Only links need their folder to be there.
    private static boolean isMade(String folder, List<Entry> before) {
        return folder.isEmpty()
                || before.stream()
                        .anyMatch(entry -> text(entry).startsWith(folder + "/")
                                || (text(entry).equals(folder) && entry.type() == '5'));
    }

    private static String parent(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    private static String text(Entry entry) {
        return new String(entry.name(), StandardCharsets.ISO_8859_1);
    }

    private byte[] packed() {
        FakeArchive archive = new FakeArchive();
        for (Entry entry : entries) {
            byte[] content = entry.text().getBytes(StandardCharsets.UTF_8);
            if (entry.type() == '0') {
                archive.header(entry.name(), '0', entry.mode(), content.length, "")
                        .raw(content)
                        .pad(content.length);
            } else {
                archive.header(entry.name(), entry.type(), entry.mode(), 0, entry.text());
            }
        }
        return archive.end().gzip();
    }
}
