package dev.remora.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Facts about the machine that runs the tests.
public final class Host {
    private Host() {}

    public static boolean isRoot() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        } catch (IOException | UnsupportedOperationException notUnix) {
            return false;
        }
    }
}
