package dev.remora.glob;

import com.google.re2j.Pattern;
import dev.remora.posix.Bytes;

/// A mask whose sets run into one another, so that only a regular expression can say what it means. RE2, so linear in
/// the length of a path.
record RegexMask(Pattern pattern, FixedFolder folder) implements Mask {
    @Override
    public Mask.State start() {
        return new State(pattern, Bytes.EMPTY);
    }

    @Override
    public boolean passesBy(Bytes path) {
        return folder.passesBy(path);
    }

    @Override
    public Bytes nameEnding() {
        return Bytes.EMPTY;
    }

    private record State(Pattern pattern, Bytes path) implements Mask.State {
        @Override
        public State after(byte[] piece) {
            return new State(pattern, path.plus(Bytes.of(piece)));
        }

        @Override
        public boolean accepts() {
            int[] runes = Runes.all(path.toArray());
            return pattern.matches(new String(runes, 0, runes.length));
        }

        @Override
        public boolean dead() {
            return false;
        }
    }
}
