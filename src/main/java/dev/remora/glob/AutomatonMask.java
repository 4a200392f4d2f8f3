package dev.remora.glob;

import com.google.re2j.Pattern;
import dev.remora.posix.Bytes;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A mask as a nondeterministic automaton. All its places are followed at once, so a name costs at most its length ×
/// the places that are alive: no pattern and no name can make it slow. Sets of places that come up are kept with what
/// each ASCII character makes of them, so most steps are one look-up. For one thread.
///
/// A node either takes one character and goes to `next`, or takes none and splits to `next` and `other`. The last node
/// accepts.
final class AutomatonMask implements Mask {
    private static final int NONE = -1;
    /// States that are kept with their steps, some 600 bytes each; above this they are worked out anew.
    private static final int MOST_STATES = 1024;

    private final List<MaskPart> parts;
    private final FixedFolder folder;
    private final List<RuneTest> tests = new ArrayList<>();
    private final List<int[]> exits = new ArrayList<>();
    private final int[][] closures;
    private final Map<IntBuffer, State> states = new HashMap<>();
    private final int accepting;
    private final State start;

    AutomatonMask(List<MaskPart> parts, FixedFolder folder) {
        this.parts = List.copyOf(parts);
        this.folder = folder;
        for (MaskPart part : parts) {
            add(part);
        }
        this.accepting = node(RuneTest.NOTHING, NONE, NONE);
        this.closures = new int[tests.size()][];
        this.start = state(closure(0));
    }

    @Override
    public Mask.State start() {
        return start;
    }

    @Override
    public boolean passesBy(Bytes path) {
        return folder.passesBy(path);
    }

    @Override
    public Bytes nameEnding() {
        var ending = new StringBuilder();
        for (MaskPart part : parts.reversed()) {
            // U+FFFD stands for any byte that is not UTF-8
            if (!(part instanceof MaskPart.Literal(int rune)) || rune == '/' || rune == Runes.ERROR) {
                break;
            }
            ending.insert(0, Character.toString(rune));
        }
        return Bytes.utf8(ending.toString());
    }

    /// Adds nodes that, when they are done, go on at the node behind them.
    private void add(MaskPart part) {
        switch (part) {
            case MaskPart.Literal(int rune) -> character(tested -> tested == rune);
            case MaskPart.Run() -> run(tested -> tested != '/');
            case MaskPart.RunWithout without -> run(setTest("[^" + MaskPart.hex(without.rune()) + "/]"));
            case MaskPart.Set set -> character(setTest(set.regex()));
            case MaskPart.Choice choice -> choice(choice);
            case MaskPart.Folders() -> folders();
        }
    }

    private void character(RuneTest test) {
        node(test, tests.size() + 1, NONE);
    }

    private void run(RuneTest test) {
        int split = tests.size();
        node(RuneTest.NOTHING, split + 1, split + 2);
        node(test, split, NONE);
    }

    private void folders() {
        int split = tests.size();
        node(RuneTest.NOTHING, split + 1, split + 4);
        node(RuneTest.NOTHING, split + 2, split + 3);
        node(tested -> tested != '\n', split + 1, NONE);
        node(tested -> tested == '/', split + 4, NONE);
    }

    private void choice(MaskPart.Choice choice) {
        int size = choice.alternatives().stream()
                .mapToInt(literals -> literals.size() + 2)
                .sum();
        int end = tests.size() + size;
        for (List<MaskPart.Literal> literals : choice.alternatives()) {
            node(RuneTest.NOTHING, tests.size() + 1, tests.size() + literals.size() + 2);
            literals.forEach(this::add);
            node(RuneTest.NOTHING, end, NONE);
        }
        // the last split's other exit is the end itself: a choice that has no further alternative
        exits.get(end - choice.alternatives().getLast().size() - 2)[1] = NONE;
    }

    private int node(RuneTest test, int next, int other) {
        tests.add(test);
        exits.add(new int[] {next, other});
        return tests.size() - 1;
    }

    private static RuneTest setTest(String regex) {
        Pattern set = Pattern.compile(regex);
        var ascii = new boolean[0x80];
        for (int rune = 0; rune < ascii.length; rune++) {
            ascii[rune] = set.matches(Character.toString(rune));
        }
        return rune -> rune < ascii.length ? ascii[rune] : set.matches(Character.toString(rune));
    }

    /// The nodes that take a character or accept and are reached from `node` without one.
    private int[] closure(int node) {
        if (closures[node] == null) {
            closures[node] = reachable(node);
        }
        return closures[node];
    }

    private int[] reachable(int node) {
        var seen = new Places(tests.size());
        var telling = new Places(tests.size());
        seen.add(node);
        for (int i = 0; i < seen.count; i++) {
            int current = seen.nodes[i];
            if (!tests.get(current).equals(RuneTest.NOTHING) || current == accepting) {
                telling.add(current);
                continue;
            }
            for (int exit : exits.get(current)) {
                if (exit != NONE) {
                    seen.add(exit);
                }
            }
        }
        return telling.copy();
    }

    @FunctionalInterface
    private interface RuneTest {
        RuneTest NOTHING = rune -> false;

        boolean takes(int rune);
    }

    /// A set of nodes that remembers their order of arrival.
    private static final class Places {
        private final int[] nodes;
        private final boolean[] present;
        private int count;

        Places(int size) {
            this.nodes = new int[size];
            this.present = new boolean[size];
        }

        void add(int node) {
            if (!present[node]) {
                present[node] = true;
                nodes[count++] = node;
            }
        }

        int[] copy() {
            return Arrays.copyOf(nodes, count);
        }
    }

    /// The state with these places; equal ones are the same object while there is room.
    private State state(int[] places) {
        IntBuffer key = IntBuffer.wrap(places);
        State known = states.get(key);
        if (known != null) {
            return known;
        }
        boolean kept = states.size() < MOST_STATES;
        var state = new State(places, kept ? State.REMEMBERED : 0);
        if (kept) {
            states.put(key, state);
        }
        return state;
    }

    private final class State implements Mask.State {
        private static final int REMEMBERED = 0x80;

        private final int[] places;
        private final boolean accepts;
        private final @Nullable State[] steps;

        State(int[] places, int remembered) {
            this.places = places;
            this.steps = new State[remembered];
            this.accepts = Arrays.stream(places).anyMatch(place -> place == accepting);
        }

        @Override
        public State after(byte[] piece) {
            State state = this;
            int at = 0;
            while (at < piece.length && !state.dead()) {
                int rune = Runes.at(piece, at, piece.length);
                at += Runes.width(piece, at, piece.length, rune);
                state = state.step(rune);
            }
            return state;
        }

        private State step(int rune) {
            State known = rune < steps.length ? steps[rune] : null;
            if (known != null) {
                return known;
            }
            State next = state(placesAfter(rune));
            if (rune < steps.length) {
                steps[rune] = next;
            }
            return next;
        }

        private int[] placesAfter(int rune) {
            var then = new Places(tests.size());
            for (int place : places) {
                if (tests.get(place).takes(rune)) {
                    for (int reached : closure(exits.get(place)[0])) {
                        then.add(reached);
                    }
                }
            }
            return then.copy();
        }

        @Override
        public boolean accepts() {
            return accepts;
        }

        @Override
        public boolean dead() {
            return places.length == 0;
        }
    }
}
