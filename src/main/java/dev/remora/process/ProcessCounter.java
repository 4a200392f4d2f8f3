package dev.remora.process;

import java.util.Optional;

/// Notices when a render has more processes than it may.
///
/// Walking a tree is dear, so first the kernel's own counter is asked: while fewer numbers were given out since the
/// last walk than are missing up to the limit, the limit cannot have been reached.
final class ProcessCounter {
    private final int limit;
    private final Members members;
    private int lastNumber;
    private long headroom;

    ProcessCounter(int limit, Members members) {
        this.limit = limit;
        this.members = members;
        this.headroom = limit;
        this.lastNumber = ProcessTable.loadAverage()
                .map(ProcessTable.LoadAverage::lastNumber)
                .orElse(0);
    }

    boolean exceeded() {
        Optional<ProcessTable.LoadAverage> now = ProcessTable.loadAverage();
        if (now.isPresent()) {
            int given = now.get().lastNumber() - lastNumber;
            if (given >= 0 && given < headroom) {
                return false;
            }
            lastNumber = now.get().lastNumber();
        }
        int present = members.present(limit + 1).size();
        headroom = Math.max(0, limit - present);
        return present > limit;
    }
}
