package dev.remora.discovery;

import dev.remora.archive.EntryPath;
import dev.remora.archive.EntrySink;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/// Small random archives and questions about them, from a seed. Names are few, so that patterns meet something.
final class RandomTrees {
    private static final List<String> NAMES = List.of(
            "a", "b", "ab", ".h", "Chart.yaml", "x.yml", "é", "x\ny", "[a]", "a*", "s1", "{a}", "$FOO", "l", "k");
    private static final List<String> TARGETS =
            List.of("a", "b", "../a", ".", "..", "Chart.yaml", "gone", "l", "a/b", "k", "/a", "a/../b", "x.yml");
    private static final List<String> SEGMENTS = List.of(
            "*",
            "**",
            "**",
            "a",
            "b",
            "a*",
            "*b",
            "?",
            "[ab]",
            "[^a]*",
            ".*",
            "Chart.yaml",
            "*.yaml",
            "*.{yaml,yml}",
            "{a,b}",
            "!(a)*",
            "l",
            "k",
            "..",
            ".",
            "$FOO",
            "[",
            "é*",
            "x*",
            "*\n*",
            "\\a*",
            "gone",
            "s[12]",
            "x.yml");

    private final Random random;

    RandomTrees(long seed) {
        this.random = new Random(seed);
    }

    /// Entries by their path.
    record Archive(Map<Bytes, Entry> entries) {
        void into(EntrySink sink, List<Bytes> order) {
            for (Bytes path : order) {
                var entryPath = new EntryPath(LexicalPath.parts(path));
                Entry entry = Objects.requireNonNull(entries.get(path));
                if (entry.link().isPresent()) {
                    sink.symlink(entryPath, entry.link().get());
                } else if (entry.folder()) {
                    sink.directory(entryPath, 0755);
                } else {
                    sink.file(entryPath, 0644, 0);
                    sink.fileEnd();
                }
            }
            sink.finish();
        }
    }

    record Entry(boolean folder, Optional<Bytes> link) {}

    Archive archive() {
        Map<Bytes, Entry> entries = new TreeMap<>();
        List<Bytes> folders = new ArrayList<>(List.of(Bytes.EMPTY));
        int count = random.nextInt(16) + 1;
        for (int i = 0; i < count; i++) {
            Bytes folder = folders.get(random.nextInt(folders.size()));
            Bytes name = random.nextInt(20) == 0 ? Bytes.of(new byte[] {(byte) 0xff}) : Bytes.utf8(pick(NAMES));
            Bytes path = LexicalPath.join(folder, List.of(name));
            if (entries.containsKey(path)) {
                continue;
            }
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    entries.put(path, new Entry(true, Optional.empty()));
                    folders.add(path);
                }
                case 2 -> {
                    Bytes target = Bytes.utf8(pick(TARGETS));
                    if (staysInside(folder, target)) {
                        entries.put(path, new Entry(false, Optional.of(target)));
                    }
                }
                default -> entries.put(path, new Entry(false, Optional.empty()));
            }
        }
        return new Archive(entries);
    }

    /// Any order in which folders come before links in them.
    List<Bytes> order(Archive archive) {
        List<Bytes> order = new ArrayList<>(archive.entries().keySet());
        if (random.nextBoolean()) {
            List<Bytes> links = new ArrayList<>(order);
            links.removeIf(path ->
                    Objects.requireNonNull(archive.entries().get(path)).link().isEmpty());
            order.removeAll(links);
            order.addAll(links);
        }
        return order;
    }

    String pattern() {
        var pattern = new StringBuilder(pick(SEGMENTS));
        for (int i = random.nextInt(4); i > 0; i--) {
            pattern.append('/').append(pick(SEGMENTS));
        }
        return pattern.toString();
    }

    Bytes application(Archive archive) {
        List<Bytes> paths = new ArrayList<>(archive.entries().keySet());
        if (random.nextInt(3) > 0 || paths.isEmpty()) {
            return Bytes.utf8(".");
        }
        Bytes path = paths.get(random.nextInt(paths.size()));
        return random.nextInt(4) == 0 ? LexicalPath.join(path, List.of(Bytes.utf8(pick(TARGETS)))) : path;
    }

    private String pick(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    /// Read word by word from the folder, as the unpacker checks it.
    private static boolean staysInside(Bytes folder, Bytes target) {
        int depth = LexicalPath.parts(folder).size();
        for (Bytes part : LexicalPath.parts(target)) {
            depth += LexicalPath.isUp(part) ? -1 : 1;
            if (depth < 0) {
                return false;
            }
        }
        return true;
    }
}
