package dev.remora.sandbox;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.remora.posix.CFunction;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import dev.remora.sandbox.SeccompRule.Action;
import dev.remora.sandbox.SeccompRule.Test;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/// A filter of system calls in the kernel's small machine language (classic BPF): one accumulator, jumps forward only,
/// every path ends in an action. What no rule names is allowed.
///
/// A filter sees numbers, not what they point to; and the same number means different calls to programs of another
/// word size. So the first thing every filter does is end a process that calls by another architecture's table, and
/// refuse x86-64's second table (x32).
///
/// Source: kernel.org, userspace-api/seccomp_filter; `struct seccomp_data` of `<linux/seccomp.h>`.
public final class SeccompProgram {
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_GREATER_OR_EQUAL = 0x35;
    private static final int JUMP_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;

    private static final int NUMBER_OFFSET = 0;
    private static final int ARCHITECTURE_OFFSET = 4;
    private static final int ARGUMENTS_OFFSET = 16;
    private static final int ARGUMENT_BYTES = 8;
    private static final int X32_BIT = 0x40000000;

    private static final int INSTRUCTION_BYTES = 8;
    private static final int PROGRAM_BYTES = 16;
    private static final int MOST_INSTRUCTIONS = 4096;
    private static final int FARTHEST_JUMP = 255;

    private static final long SET_MODE_FILTER = 1;
    /// `SECCOMP_FILTER_FLAG_NEW_LISTENER`: the call returns a descriptor on which [Action#NOTIFY] asks.
    private static final long NEW_LISTENER = 1 << 3;

    private final Processor processor;
    /// As the kernel reads it: it is installed for every render, and written once.
    private final byte[] code;

    /// `struct sock_filter`.
    ///
    /// @param whenTrue instructions to leave out where the comparison holds
    /// @param whenFalse where it does not
    record Instruction(int code, int whenTrue, int whenFalse, int value) {}

    private SeccompProgram(Processor processor, byte[] code) {
        if (code.length > MOST_INSTRUCTIONS * INSTRUCTION_BYTES) {
            throw new IllegalArgumentException("a filter of " + code.length / INSTRUCTION_BYTES + " instructions");
        }
        this.processor = processor;
        this.code = code;
    }

    /// The program of these rules. Calls that the processor does not have are left out.
    public static SeccompProgram of(Processor processor, List<SeccompRule> rules) {
        List<Instruction> all = new ArrayList<>(prologue(processor));
        all.addAll(code(processor, rules));
        all.add(end(Action.ALLOW));
        return new SeccompProgram(processor, bytes(all));
    }

    /// The program of `first` and then of this one's rules: all jumps stay within their rule, so nothing else of this
    /// program is made anew.
    SeccompProgram behind(List<SeccompRule> first) {
        int start = prologue(processor).size() * INSTRUCTION_BYTES;
        byte[] inserted = bytes(code(processor, first));
        byte[] all = Arrays.copyOf(code, code.length + inserted.length);
        System.arraycopy(inserted, 0, all, start, inserted.length);
        System.arraycopy(code, start, all, start + inserted.length, code.length - start);
        return new SeccompProgram(processor, all);
    }

    private static byte[] bytes(List<Instruction> instructions) {
        ByteBuffer code =
                ByteBuffer.allocate(instructions.size() * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
        for (Instruction each : instructions) {
            code.putShort((short) each.code())
                    .put((byte) each.whenTrue())
                    .put((byte) each.whenFalse())
                    .putInt(each.value());
        }
        return code.array();
    }

    private static List<Instruction> code(Processor processor, List<SeccompRule> rules) {
        List<Instruction> all = new ArrayList<>();
        for (SeccompRule rule : rules) {
            OptionalInt number = rule.call().number(processor);
            if (number.isPresent()) {
                all.addAll(code(number.getAsInt(), rule));
            }
        }
        return all;
    }

    private static List<Instruction> prologue(Processor processor) {
        List<Instruction> all = new ArrayList<>();
        all.add(load(ARCHITECTURE_OFFSET));
        all.add(new Instruction(JUMP_EQUAL, 1, 0, processor.auditArchitecture()));
        all.add(end(Action.KILL));
        all.add(load(NUMBER_OFFSET));
        if (processor.hasX32()) {
            all.add(new Instruction(JUMP_GREATER_OR_EQUAL, 0, 1, X32_BIT));
            all.add(end(Action.refuse(Errno.ENOSYS)));
        }
        return all;
    }

    /// Begins and ends with the call's number in the accumulator.
    private static List<Instruction> code(int number, SeccompRule rule) {
        List<Instruction> body = new ArrayList<>();
        if (!rule.tests().isEmpty()) {
            body.add(end(rule.action()));
            body.add(load(NUMBER_OFFSET));
            for (Test test : rule.tests().reversed()) {
                body.addAll(0, code(test, body.size() - 1));
            }
        } else {
            body.add(end(rule.action()));
        }
        body.addFirst(new Instruction(JUMP_EQUAL, 0, distance(body.size()), number));
        return body;
    }

    /// Goes on with the next instruction where the test holds, otherwise leaves out `otherwise` of those behind it.
    private static List<Instruction> code(Test test, int otherwise) {
        List<Instruction> all = new ArrayList<>();
        all.add(load(ARGUMENTS_OFFSET + ARGUMENT_BYTES * test.argument()));
        switch (test) {
            case Test.AnyBit(int _, int bits) -> all.add(new Instruction(JUMP_ANY_BIT, 0, distance(otherwise), bits));
            case Test.Among(int _, List<Integer> values) -> {
                for (int i = 0; i < values.size(); i++) {
                    int left = values.size() - 1 - i;
                    all.add(new Instruction(JUMP_EQUAL, left, left == 0 ? distance(otherwise) : 0, values.get(i)));
                }
            }
            case Test.NotAmong(int _, List<Integer> values) -> {
                for (int i = 0; i < values.size(); i++) {
                    int left = values.size() - 1 - i;
                    all.add(new Instruction(JUMP_EQUAL, distance(left + otherwise), 0, values.get(i)));
                }
            }
        }
        return all;
    }

    private static Instruction load(int offset) {
        return new Instruction(LOAD_WORD, 0, 0, offset);
    }

    private static Instruction end(Action action) {
        return new Instruction(RETURN, 0, 0, action.value());
    }

    private static int distance(int jump) {
        if (jump > FARTHEST_JUMP) {
            throw new IllegalArgumentException("a rule of more than " + FARTHEST_JUMP + " instructions");
        }
        return jump;
    }

    List<Instruction> instructions() {
        ByteBuffer all = ByteBuffer.wrap(code).order(ByteOrder.nativeOrder());
        List<Instruction> instructions = new ArrayList<>();
        while (all.hasRemaining()) {
            instructions.add(new Instruction(
                    Short.toUnsignedInt(all.getShort()),
                    Byte.toUnsignedInt(all.get()),
                    Byte.toUnsignedInt(all.get()),
                    all.getInt()));
        }
        return instructions;
    }

    /// Puts the calling thread, and all that it starts, behind this filter for good. It must have refused new
    /// privileges before.
    ///
    /// @return 0, or a negated errno
    public long install() {
        try (Libc libc = Libc.open()) {
            return libc.call(
                    CFunction.SYSCALL,
                    Syscall.SECCOMP.number(),
                    SET_MODE_FILTER,
                    0,
                    write(libc).address());
        }
    }

    /// As [#install], with someone who answers [Action#NOTIFY]. A thread can have one such filter.
    ///
    /// @return the listener's descriptor, or a negated errno
    public long installWithListener() {
        try (Libc libc = Libc.open()) {
            return libc.call(
                    CFunction.SYSCALL,
                    Syscall.SECCOMP.number(),
                    SET_MODE_FILTER,
                    NEW_LISTENER,
                    write(libc).address());
        }
    }

    /// `struct sock_fprog` with its instructions.
    private MemorySegment write(Libc libc) {
        MemorySegment instructions = libc.allocate(code.length).copyFrom(MemorySegment.ofArray(code));
        MemorySegment program = libc.allocate(PROGRAM_BYTES);
        program.set(JAVA_SHORT, 0, (short) (code.length / INSTRUCTION_BYTES));
        program.set(JAVA_LONG, PROGRAM_BYTES / 2, instructions.address());
        return program;
    }
}
