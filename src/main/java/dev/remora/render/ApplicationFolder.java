package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The folder of an Application in its repository, proven to be there and inside.
///
/// @param root the repository's files, absolute
/// @param path as it is written
/// @param folder absolute, its text cleaned; may be a link to a folder inside
record ApplicationFolder(Path root, String path, Path folder) {

    /// As the repo-server checks it: by its text, then by looking.
    ///
    /// @throws Fault PATH_INVALID, PATH_OUTSIDE
    static ApplicationFolder of(Path root, String path) {
        if (path.startsWith("/")) {
            throw new Fault(FaultCode.PATH_INVALID, shown(path) + ": app path is absolute");
        }
        Path folder;
        try {
            folder = root.resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new Fault(FaultCode.PATH_INVALID, shown(path) + ": " + e.getReason(), e);
        }
        if (!folder.startsWith(root)) {
            throw new Fault(FaultCode.PATH_OUTSIDE, shown(path) + ": app path outside root");
        }
        if (!Files.exists(folder)) {
            throw new Fault(FaultCode.PATH_INVALID, shown(path) + ": app path does not exist");
        }
        if (!Files.isDirectory(folder)) {
            throw new Fault(FaultCode.PATH_INVALID, shown(path) + ": app path is not a directory");
        }
        requireInside(root, folder, path);
        return new ApplicationFolder(root, path, folder);
    }

    /// A link may lead elsewhere than its text says.
    private static void requireInside(Path root, Path folder, String path) {
        try {
            if (!folder.toRealPath().startsWith(root.toRealPath())) {
                throw new Fault(FaultCode.PATH_OUTSIDE, shown(path) + ": app path outside root");
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.PATH_INVALID, shown(path) + ": " + Fault.words(e), e);
        }
    }

    /// On one line, whatever it holds.
    private static String shown(String path) {
        StringBuilder text = new StringBuilder();
        path.codePoints().limit(MOST_SHOWN).forEach(c -> {
            if (Character.isISOControl(c)) {
                text.append(String.format("\\x%02x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return path.codePointCount(0, path.length()) > MOST_SHOWN ? text + "…" : text.toString();
    }

    private static final int MOST_SHOWN = 300;
}
