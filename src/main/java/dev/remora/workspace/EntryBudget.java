package dev.remora.workspace;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/// How many entries the indexes of all trees may have together; an index costs memory. Threads may share it.
final class EntryBudget {
    private final long most;
    private final BooleanSupplier makeRoom;
    private final AtomicLong used = new AtomicLong();

    /// @param makeRoom gives entries of a tree that nobody uses back; false when there is none
    EntryBudget(long most, BooleanSupplier makeRoom) {
        this.most = most;
        this.makeRoom = makeRoom;
    }

    boolean take() {
        while (used.incrementAndGet() > most) {
            used.decrementAndGet();
            if (!makeRoom.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    void giveBack(long entries) {
        used.addAndGet(-entries);
    }

    long used() {
        return used.get();
    }
}
