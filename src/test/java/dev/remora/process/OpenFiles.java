package dev.remora.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What this JVM holds of the kernel's.
final class OpenFiles {
    private OpenFiles() {}

    static int count() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? -1 : names.length;
    }

    /// Names of threads that are under kernel restrictions.
    static List<String> restrictedThreads() throws IOException {
        List<String> found = new ArrayList<>();
        String[] names = new File("/proc/self/task").list();
        for (String name : names == null ? new String[0] : names) {
            Path status = Path.of("/proc/self/task", name, "status");
            try {
                String text = Files.readString(status);
                if (text.contains("NoNewPrivs:\t1")) {
                    found.add(text.lines().findFirst().orElse(""));
                }
            } catch (java.nio.file.NoSuchFileException e) {
                // It ended meanwhile.
            }
        }
        return found;
    }
}
