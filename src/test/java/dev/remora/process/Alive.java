package dev.remora.process;

import dev.remora.posix.Bytes;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Looks over the whole machine, independent of how trees are tracked.
final class Alive {
    private Alive() {}

    /// Between an `execve` and the new program's first step a process shows no environment at all.
    private static final int LOOKS_AT_AN_EMPTY_ONE = 5;

    private static final long BETWEEN_LOOKS_MILLIS = 5;

    /// Living processes that have a variable of this name.
    static List<String> bearing(String variable) throws IOException {
        ProcessTable table = new ProcessTable();
        Bytes prefix = Bytes.utf8(variable + "=");
        List<String> found = new ArrayList<>();
        List<Integer> open = everyone();
        for (int look = 0; look < LOOKS_AT_AN_EMPTY_ONE && !open.isEmpty(); look++) {
            List<Integer> empty = new ArrayList<>();
            for (int pid : open) {
                List<Bytes> environment = ProcessTable.environment(pid);
                boolean alive = table.stat(pid).filter(ProcessTable.Stat::alive).isPresent();
                if (alive && environment.isEmpty()) {
                    empty.add(pid);
                } else if (alive && environment.stream().anyMatch(entry -> entry.startsWith(prefix))) {
                    found.add(pid + " " + ProcessTable.name(pid));
                }
            }
            open = empty;
            pause();
        }
        return found;
    }

    private static List<Integer> everyone() {
        String[] names = new File("/proc").list((folder, name) -> Character.isDigit(name.charAt(0)));
        return Arrays.stream(names == null ? new String[0] : names)
                .map(Integer::valueOf)
                .toList();
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
