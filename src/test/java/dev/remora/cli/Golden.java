package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Compares text with a kept file. `-Dremora.rewrite=true` writes the file instead; where `CI` is set that is refused.
final class Golden {
    static final String SWITCH = "remora.rewrite";

    private Golden() {}

    static void check(Path file, String actual) throws IOException {
        if (Boolean.getBoolean(SWITCH)) {
            assertThat(System.getenv("CI"))
                    .as("-D%s rewrites what is expected, so it is refused where CI is set", SWITCH)
                    .isNull();
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, actual);
        }
        assertThat(file)
                .as("run the tests once with -D%s=true to make it", SWITCH)
                .exists();
        assertThat(actual)
                .as("%s; if the change is meant, run the tests once with -D%s=true", file, SWITCH)
                .isEqualTo(Files.readString(file));
    }
}
