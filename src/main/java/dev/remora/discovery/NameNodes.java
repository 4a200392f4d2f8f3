package dev.remora.discovery;

import dev.remora.posix.Bytes;
import java.util.function.IntPredicate;

/// The nodes of a tree of names, packed: a node is a place in one store of bytes.
///
/// | bytes | what |
/// |---|---|
/// | 1 | kind |
/// | 4 | the next child of the same directory; the last one's is the first |
/// | 4 | the directory it is in (directories and links) |
/// | 4 | the last child, 0 for none (directories); length of the text (links) |
/// | 2 | length of the name |
/// | | the name, then a link's text |
///
/// So a million files with names of 16 letters take 23 MB. Directories and links are also found by a hash of their
/// directory and name; files are not, as there may be a million of them and hardly one is asked for.
final class NameNodes {
    static final int NONE = 0;
    static final byte FILE = 1;
    static final byte DIRECTORY = 2;
    static final byte LINK = 3;

    private static final int NEXT = 1;
    private static final int PARENT = 5;
    private static final int LAST_CHILD = 9;
    private static final int TEXT_LENGTH = 9;
    private static final int FILE_NAME = 5;
    private static final int OTHER_NAME = 13;
    private static final int LENGTH = 2;
    private static final int FIRST_SLOTS = 1 << 10;

    private final ByteStore store;
    private int[] slots = new int[FIRST_SLOTS];
    private int hashed;

    NameNodes(int mostBytes) {
        this.store = new ByteStore(mostBytes);
        store.append(0); // so that no node is at 0
    }

    int root() {
        return 1;
    }

    int add(int parent, byte kind, Bytes name, Bytes text) {
        int node = store.size();
        store.append(kind);
        store.appendInt(NONE);
        if (kind != FILE) {
            store.appendInt(parent);
            store.appendInt(kind == LINK ? text.length() : NONE);
        }
        store.append(name.length() >>> 8);
        store.append(name.length());
        store.appendAll(name.toArray());
        store.appendAll(text.toArray());
        if (parent != NONE) {
            hang(parent, node);
            if (kind != FILE) {
                remember(parent, name, node);
            }
        }
        return node;
    }

    byte kind(int node) {
        return store.at(node);
    }

    int parent(int node) {
        return store.intAt(node + PARENT);
    }

    Bytes name(int node) {
        return Bytes.of(store.range(nameAt(node) + LENGTH, nameLength(node)));
    }

    Bytes text(int link) {
        return Bytes.of(store.range(nameAt(link) + LENGTH + nameLength(link), store.intAt(link + TEXT_LENGTH)));
    }

    /// The directory or link of that name in `parent`.
    int findHashed(int parent, Bytes name) {
        int slot = hash(parent, name) & slots.length - 1;
        while (slots[slot] != NONE) {
            if (parent(slots[slot]) == parent && hasName(slots[slot], name)) {
                return slots[slot];
            }
            slot = slot + 1 & slots.length - 1;
        }
        return NONE;
    }

    /// Anything of that name in `parent`.
    int find(int parent, Bytes name) {
        int found = findHashed(parent, name);
        if (found != NONE) {
            return found;
        }
        var file = new int[1];
        children(parent, child -> {
            file[0] = kind(child) == FILE && hasName(child, name) ? child : NONE;
            return file[0] == NONE;
        });
        return file[0];
    }

    /// Shows the children in their order until one is answered with false.
    void children(int directory, IntPredicate visitor) {
        int last = store.intAt(directory + LAST_CHILD);
        if (last == NONE) {
            return;
        }
        int child = last;
        do {
            child = store.intAt(child + NEXT);
        } while (visitor.test(child) && child != last);
    }

    private void hang(int parent, int node) {
        int last = store.intAt(parent + LAST_CHILD);
        store.setInt(node + NEXT, last == NONE ? node : store.intAt(last + NEXT));
        if (last != NONE) {
            store.setInt(last + NEXT, node);
        }
        store.setInt(parent + LAST_CHILD, node);
    }

    private void remember(int parent, Bytes name, int node) {
        if (2 * (hashed + 1) > slots.length) {
            int[] old = slots;
            slots = new int[2 * old.length];
            for (int known : old) {
                if (known != NONE) {
                    place(hash(parent(known), name(known)), known);
                }
            }
        }
        place(hash(parent, name), node);
        hashed++;
    }

    private void place(int hash, int node) {
        int slot = hash & slots.length - 1;
        while (slots[slot] != NONE) {
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = node;
    }

    private static int hash(int parent, Bytes name) {
        int hash = name.hashCode() * 0x9E3779B9 + parent * 0x85EBCA6B;
        return hash ^ hash >>> 15;
    }

    private boolean hasName(int node, Bytes name) {
        if (nameLength(node) != name.length()) {
            return false;
        }
        int from = nameAt(node) + LENGTH;
        for (int i = 0; i < name.length(); i++) {
            if (store.at(from + i) != name.at(i)) {
                return false;
            }
        }
        return true;
    }

    private int nameAt(int node) {
        return node + (kind(node) == FILE ? FILE_NAME : OTHER_NAME);
    }

    private int nameLength(int node) {
        int at = nameAt(node);
        return ((store.at(at) & 0xFF) << 8) | (store.at(at + 1) & 0xFF);
    }
}
