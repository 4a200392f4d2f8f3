package dev.remora.glob;

import dev.remora.posix.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A table of what Go's own libraries answered: tab-separated fields, bytes outside printable ASCII written `%XX`, an
/// empty field written `%`.
final class GoTable {
    private GoTable() {}

    static List<List<Bytes>> read(String name) {
        try (InputStream table = GoTable.class.getResourceAsStream(name)) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> Arrays.stream(line.split("\t"))
                            .map(GoTable::decoded)
                            .toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The tree of a `tree` row.
    static FakeTree tree(List<Bytes> row) {
        var tree = new FakeTree();
        for (Bytes field : row.subList(1, row.size())) {
            Bytes path = field.slice(2, field.length());
            switch (field.at(0)) {
                case 'd' -> tree.directory(path);
                case 'f' -> tree.file(path);
                default -> {
                    int arrow = path.indexOf((byte) '>', 0);
                    tree.link(path.slice(0, arrow), path.slice(arrow + 1, path.length()));
                }
            }
        }
        return tree;
    }

    private static Bytes decoded(String field) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) != '%') {
                bytes.write(field.charAt(i));
            } else if (field.length() > 1) {
                bytes.write(Integer.parseInt(field.substring(i + 1, i + 3), 16));
                i += 2;
            }
        }
        return Bytes.of(bytes.toByteArray());
    }
}
