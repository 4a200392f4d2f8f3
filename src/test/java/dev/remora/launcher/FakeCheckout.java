package dev.remora.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// A checkout with the true launcher and its scripts, whose Maven and JDKs are shell scripts: a build takes no time,
/// and
/// "java" prints how it was called.
final class FakeCheckout {
    private final Path root;

    FakeCheckout(Path root) throws IOException {
        this.root = root;
        for (String file : List.of("remora", "scripts/find-jdk", "scripts/train-start-cache")) {
            Path copy = root.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Path.of(file), copy, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createDirectories(root.resolve(".mvn"));
        Files.createDirectories(root.resolve("src/main"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        buildWith("""
                echo build >> builds
                for word; do case $word in -Dremora.target=*) target=${word#*=} ;; esac; done
                mkdir -p "$target/lib"
                echo jar > "$target/remora-0.1.0.jar"
                """);
    }

    Path root() {
        return root;
    }

    Path launcher() {
        return root.resolve("remora");
    }

    void buildWith(String script) throws IOException {
        program(root.resolve("mvnw"), script);
    }

    long builds() throws IOException {
        Path builds = root.resolve("builds");
        return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
    }

    /// A JDK that says in its `release` file that it has this version. It makes the start cache that it is asked for.
    static Path jdk(Path home, String version) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Fake\"\nJAVA_VERSION=\"" + version + "\"\n");
        program(home.resolve("bin/javac"), "exit 1\n");
        program(home.resolve("bin/java"), """
                for word; do case $word in -XX:AOTCacheOutput=*) echo cache > "${word#*=}"; exit 0 ;; esac; done
                echo "pid $$"
                echo "home %s"
                for word; do echo "word $word"; done
                """.formatted(home));
        return home;
    }

    private static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
