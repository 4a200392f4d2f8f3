package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.CFunction;
import dev.remora.posix.Libc;
import java.util.ArrayList;
import java.util.List;

/// Finds a program on the server's PATH, in Go's way (docs/spec/processes.md, "Finding the program"): the first entry
/// with an executable file of that name; an entry that is not absolute finds nothing but a refusal.
final class ProgramLookup {
    private static final int EXECUTABLE = 1;
    private static final byte COLON = ':';
    private static final byte SLASH = '/';

    private final List<Bytes> folders;

    ProgramLookup(Bytes searchPath) {
        folders = split(searchPath);
    }

    sealed interface Found {
        /// The path to hand to the kernel.
        record Program(Bytes path) implements Found {}

        /// In Go's words.
        record Refused(String cause) implements Found {}
    }

    Found find(Bytes name) {
        if (name.isEmpty()) {
            return new Found.Refused("exec: no command");
        }
        if (name.indexOf(SLASH, 0) >= 0) {
            return new Found.Program(name);
        }
        for (Bytes folder : isDots(name) ? List.<Bytes>of() : folders) {
            Bytes path = folder.isEmpty() ? name : folder.slash(name);
            if (isExecutableFile(path)) {
                return path.at(0) == SLASH
                        ? new Found.Program(path)
                        : refused(name, "cannot run executable found relative to current directory");
            }
        }
        return refused(name, "executable file not found in $PATH");
    }

    private static Found refused(Bytes name, String why) {
        return new Found.Refused("exec: " + GoQuote.quoted(name) + ": " + why);
    }

    private static boolean isDots(Bytes name) {
        return name.equals(Bytes.utf8(".")) || name.equals(Bytes.utf8(".."));
    }

    private static boolean isExecutableFile(Bytes path) {
        if (path.indexOf((byte) 0, 0) >= 0) {
            return false;
        }
        try (Libc libc = Libc.open()) {
            long address = libc.string(path);
            return libc.call(CFunction.EACCESS, address, EXECUTABLE) == 0 && !isFolder(path);
        }
    }

    /// A folder is executable too. Asked with a slash behind, which only a folder answers.
    private static boolean isFolder(Bytes path) {
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.EACCESS, libc.string(path.slash(Bytes.utf8("."))), 0) == 0;
        }
    }

    private static List<Bytes> split(Bytes path) {
        List<Bytes> all = new ArrayList<>();
        if (path.isEmpty()) {
            return all;
        }
        int from = 0;
        for (int to = path.indexOf(COLON, 0); to >= 0; to = path.indexOf(COLON, from)) {
            all.add(path.slice(from, to));
            from = to + 1;
        }
        all.add(path.slice(from, path.length()));
        return all;
    }
}
