package dev.remora.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The newest glibc that a runtime's native files ask for: the version names in their symbol tables are plain text.
final class GlibcNeed {
    private static final Pattern VERSION = Pattern.compile("GLIBC_2\\.(\\d{1,3})");

    private GlibcNeed() {}

    /// The N of glibc 2.N; 0 when nothing asks for a version, as with musl or on macOS.
    static int minorOf(Path runtime) throws IOException {
        int newest = 0;
        for (Path file : natives(runtime)) {
            Matcher version = VERSION.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            while (version.find()) {
                newest = Math.max(newest, Integer.parseInt(version.group(1)));
            }
        }
        return newest;
    }

    private static List<Path> natives(Path runtime) throws IOException {
        try (Stream<Path> files = Files.walk(runtime)) {
            return files.filter(file -> file.toString().endsWith(".so") || file.endsWith("bin/java"))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }
}
