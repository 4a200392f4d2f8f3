package dev.remora.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The whole class path where any user can read it: who becomes another user may no longer enter our home.
public final class OpenClassPath {
    private OpenClassPath() {}

    /// Copies folders and libraries into `folder`, which others must be able to enter.
    public static String in(Path folder) throws IOException {
        List<String> parts = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(":", -1)) {
            Path origin = Path.of(part).toAbsolutePath();
            Path copy = folder.resolve(parts.size() + "-" + origin.getFileName());
            if (Files.isDirectory(origin)) {
                tree(origin, copy);
                parts.add(copy.toString());
            } else if (Files.exists(origin)) {
                Files.copy(origin, copy);
                parts.add(copy.toString());
            }
        }
        return String.join(":", parts);
    }

    private static void tree(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
