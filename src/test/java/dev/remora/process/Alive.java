package dev.remora.process;

import dev.remora.posix.Bytes;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Looks over the whole machine, independent of how trees are tracked.
final class Alive {
    private Alive() {}

    /// Living processes that have a variable of this name.
    static List<String> bearing(String variable) throws IOException {
        ProcessTable table = new ProcessTable();
        List<String> found = new ArrayList<>();
        String[] names = new File("/proc").list((folder, name) -> Character.isDigit(name.charAt(0)));
        for (String name : names == null ? new String[0] : names) {
            int pid = Integer.parseInt(name);
            boolean bears = ProcessTable.environment(pid).stream()
                    .anyMatch(entry -> entry.startsWith(Bytes.utf8(variable + "=")));
            if (bears && table.stat(pid).filter(ProcessTable.Stat::alive).isPresent()) {
                found.add(pid + " " + ProcessTable.name(pid));
            }
        }
        return found;
    }
}
