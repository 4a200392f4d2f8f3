package dev.remora.glob;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes out the alternatives of a pattern: `a{b,c{d,e}}` is `ab`, `acd`, `ace`. A backslash takes the meaning from
/// what follows it, and stays for who reads on; nothing is a brace inside `[...]`.
final class Alternatives {
    private final byte[] text;
    private final int most;
    private int at;
    private boolean malformed;

    private Alternatives(byte[] text, int most) {
        this.text = text;
        this.most = most;
    }

    /// All choices in their order; empty when a brace has no partner or there are more than `most`.
    static Optional<List<Bytes>> of(Bytes text, int most) {
        Alternatives reader = new Alternatives(text.toArray(), most);
        List<Bytes> all = reader.sequence(0);
        return reader.malformed || reader.at < reader.text.length ? Optional.empty() : Optional.of(all);
    }

    /// Up to the end, or up to a comma or brace that belongs to who is one level above.
    private List<Bytes> sequence(int level) {
        List<Bytes> all = List.of(Bytes.EMPTY);
        while (at < text.length && !malformed) {
            byte next = text[at];
            boolean ours = next == '}' || (next == ',' && level > 0);
            if (ours) {
                malformed = level == 0;
                return all;
            }
            all = next == '{' ? times(all, choice(level)) : times(all, List.of(plain()));
        }
        return all;
    }

    private List<Bytes> choice(int level) {
        List<Bytes> all = new ArrayList<>();
        do {
            at++;
            all.addAll(sequence(level + 1));
        } while (at < text.length && text[at] == ',' && !malformed);
        malformed = malformed || at >= text.length || all.size() > most;
        at++;
        return all;
    }

    private Bytes plain() {
        int from = at;
        switch (text[at]) {
            case '\\' -> at = Math.min(at + 2, text.length);
            case '[' -> set();
            default -> at++;
        }
        return Bytes.of(text, from, at);
    }

    private void set() {
        at++;
        while (at < text.length && text[at] != ']') {
            at += text[at] == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, text.length);
    }

    private List<Bytes> times(List<Bytes> before, List<Bytes> after) {
        if ((long) before.size() * after.size() > most) {
            malformed = true;
            return before;
        }
        List<Bytes> all = new ArrayList<>(before.size() * after.size());
        before.forEach(first -> after.forEach(second -> all.add(first.plus(second))));
        return all;
    }
}
