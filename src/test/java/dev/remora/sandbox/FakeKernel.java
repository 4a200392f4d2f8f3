package dev.remora.sandbox;

import dev.remora.sandbox.SeccompProgram.Instruction;

/// Runs a filter as the kernel's machine would: for both processors on any of them.
final class FakeKernel {
    private static final int NO_CALL = 9999;

    private final SeccompProgram program;

    FakeKernel(SeccompProgram program) {
        this.program = program;
    }

    /// What the filter returns for a call.
    int answer(int architecture, int number, long... arguments) {
        int accumulator = NO_CALL;
        int at = 0;
        while (true) {
            Instruction each = program.instructions().get(at++);
            boolean holds;
            switch (each.code()) {
                case 0x20 -> {
                    accumulator = word(each.value(), architecture, number, arguments);
                    continue;
                }
                case 0x06 -> {
                    return each.value();
                }
                case 0x15 -> holds = accumulator == each.value();
                case 0x35 -> holds = Integer.compareUnsigned(accumulator, each.value()) >= 0;
                case 0x45 -> holds = (accumulator & each.value()) != 0;
                default -> throw new IllegalStateException("code " + each.code());
            }
            at += holds ? each.whenTrue() : each.whenFalse();
        }
    }

    private static int word(int offset, int architecture, int number, long... arguments) {
        if (offset == 0) {
            return number;
        }
        if (offset == 4) {
            return architecture;
        }
        int index = (offset - 16) / 8;
        return index < arguments.length ? (int) arguments[index] : 0;
    }
}
