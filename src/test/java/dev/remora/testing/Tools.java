package dev.remora.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where the outside programs of tests are: first what `./check` installed, at pinned versions, then the PATH.
public final class Tools {
    private Tools() {}

    /// The program's path, if it is there and may be run.
    public static Optional<Path> find(String name) {
        return folders().stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// A PATH on which the installed tools come first, for the environment of commands under test.
    public static String path() {
        return String.join(
                ":", folders().stream().map(Path::toString).distinct().toList());
    }

    private static List<Path> folders() {
        var folders = new ArrayList<Path>();
        String installed = System.getenv("REMORA_TOOLS");
        folders.add(Path.of(installed == null ? ".tools" : installed, "bin").toAbsolutePath());
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "/usr/bin:/bin" : path).split(":", -1)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        folders.add(Path.of("/usr/sbin")); // sshd; not on every user's PATH
        return folders;
    }
}
