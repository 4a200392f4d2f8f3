package dev.remora.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Who keeps a command's output open after the command itself has ended.
final class OutputHolder {
    private static final int MOST_LOOKED_AT = 200;
    private static final int MOST_NAMED = 3;

    private OutputHolder() {}

    /// `sleep (process 4711)`, or the words `a process in the background`.
    static String describe(RenderContext render, int[] openEnds) {
        List<String> names = new ArrayList<>();
        for (int pid : render.members().present(MOST_LOOKED_AT)) {
            if (names.size() < MOST_NAMED && holds(pid, openEnds)) {
                names.add(ProcessTable.name(pid) + " (process " + pid + ")");
            }
        }
        return names.isEmpty() ? "a process in the background" : String.join(", ", names);
    }

    private static boolean holds(int pid, int[] openEnds) {
        for (int end : openEnds) {
            String pipe = link("/proc/self/fd/" + end);
            if (!pipe.isEmpty()
                    && (pipe.equals(link("/proc/" + pid + "/fd/1")) || pipe.equals(link("/proc/" + pid + "/fd/2")))) {
                return true;
            }
        }
        return false;
    }

    private static String link(String path) {
        try {
            return Files.readSymbolicLink(Path.of(path)).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
