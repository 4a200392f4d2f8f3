package dev.remora.sandbox;

import java.util.List;

/// What a filter does with one system call: `action`, where all of `tests` hold. The first rule that fits decides.
public record SeccompRule(Syscall call, List<Test> tests, Action action) {
    public SeccompRule {
        tests = List.copyOf(tests);
    }

    public static SeccompRule always(Syscall call, Action action) {
        return new SeccompRule(call, List.of(), action);
    }

    /// What becomes of a call.
    ///
    /// @param value as the filter returns it
    public record Action(int value) {
        private static final int RETURN_ERRNO = 0x00050000;
        private static final int MOST_ERRNO = 4095;

        public static final Action ALLOW = new Action(0x7fff0000);
        /// By SIGSYS, the whole process.
        public static final Action KILL = new Action(0x80000000);
        /// Asks whoever holds the filter's listener.
        public static final Action NOTIFY = new Action(0x7fc00000);

        /// The call fails and does nothing.
        public static Action refuse(int errno) {
            if (errno < 1 || errno > MOST_ERRNO) {
                throw new IllegalArgumentException("no errno: " + errno);
            }
            return new Action(RETURN_ERRNO | errno);
        }
    }

    /// Of the lower 32 bits of an argument, which is all that the calls we test look at.
    public sealed interface Test {
        int argument();

        /// Is one of the values.
        record Among(int argument, List<Integer> values) implements Test {
            public Among {
                values = filled(values);
            }
        }

        /// Is none of the values.
        record NotAmong(int argument, List<Integer> values) implements Test {
            public NotAmong {
                values = filled(values);
            }
        }

        /// Has one of the bits.
        record AnyBit(int argument, int bits) implements Test {}

        private static List<Integer> filled(List<Integer> values) {
            if (values.isEmpty()) {
                throw new IllegalArgumentException("a test for no value");
            }
            return List.copyOf(values);
        }
    }
}
