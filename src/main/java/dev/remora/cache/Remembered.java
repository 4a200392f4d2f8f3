package dev.remora.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Small facts by fingerprint, up to a number; the one that was asked for longest ago goes first. `this` guards it.
///
/// Verdicts of discover rules are kept so, and which inputs an archive holds. A fact is only ever stored by a call that
/// had the whole archive and found it good, and only used by one whose archive proves to have the same checksum.
public final class Remembered<V> {
    private final int most;
    private final Map<String, V> facts = new LinkedHashMap<>(16, 0.75f, true);

    public Remembered(int most) {
        this.most = most;
    }

    public synchronized Optional<V> find(String fingerprint) {
        return Optional.ofNullable(facts.get(fingerprint));
    }

    public synchronized void put(String fingerprint, V fact) {
        facts.put(fingerprint, fact);
        if (facts.size() > most) {
            var oldest = facts.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    public synchronized int size() {
        return facts.size();
    }
}
