package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.OpenProcFile;
import dev.remora.posix.ProcFile;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What `/proc` tells of processes. Every answer may be stale when it is read.
final class ProcessTable {
    /// Some ten thousand numbers; of a longer list the rest is found when these are gone.
    private static final int CHILDREN_BYTES = 64 * 1024;

    private static final int LINE_BYTES = 4096;

    private static final long BYTES_PER_KIB = 1024;

    /// An environment may be as long as the kernel allows, two megabytes by default; ours holds the marker in front.
    private static final int ENVIRONMENT_BYTES = 256 * 1024;

    private final boolean listsChildren;

    ProcessTable() {
        listsChildren = new File("/proc/self/task/" + self() + "/children").exists();
    }

    /// @param state as one letter, `Z` for a zombie
    /// @param start when it started, in ticks since the machine did: with the number it names a process for ever
    record Stat(int pid, char state, int parent, int group, int session, long start) {
        boolean alive() {
            return state != 'Z' && state != 'X';
        }
    }

    static int self() {
        return (int) ProcessHandle.current().pid();
    }

    /// The children that one thread of ours started or was given.
    List<Integer> ofThread(int thread) {
        if (listsChildren) {
            return numbers("/proc/self/task/" + thread + "/children");
        }
        return thread == self() ? byScan(self()) : List.of();
    }

    /// The children of a process.
    List<Integer> of(int pid) {
        if (!listsChildren) {
            return byScan(pid);
        }
        String[] threads = new File("/proc/" + pid + "/task").list();
        if (threads == null) {
            return List.of();
        }
        if (threads.length == 1) {
            return numbers("/proc/" + pid + "/task/" + threads[0] + "/children");
        }
        List<Integer> all = new ArrayList<>();
        for (String thread : threads) {
            all.addAll(numbers("/proc/" + pid + "/task/" + thread + "/children"));
        }
        return all;
    }

    Optional<Stat> stat(int pid) {
        return ProcFile.text("/proc/" + pid + "/stat", LINE_BYTES).flatMap(line -> parsed(pid, line));
    }

    /// `12 (a) b) S 1 12 12 …`: the name may hold anything, so fields are counted behind the last parenthesis.
    private static Optional<Stat> parsed(int pid, String line) {
        int end = line.lastIndexOf(')');
        String[] fields = line.substring(end + 1).trim().split(" ", -1);
        if (end < 0 || fields.length < 20) {
            return Optional.empty();
        }
        return Optional.of(new Stat(
                pid,
                fields[0].charAt(0),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]),
                Long.parseLong(fields[19])));
    }

    /// The memory that a process holds, shared pages included; 0 if it has ended.
    static long residentBytes(int pid) {
        return ProcFile.text("/proc/" + pid + "/status", LINE_BYTES).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KIB)
                .findFirst()
                .orElse(0);
    }

    /// The program's name, 15 bytes at most.
    static String name(int pid) {
        return ProcFile.text("/proc/" + pid + "/comm", LINE_BYTES)
                .map(String::strip)
                .orElse("?");
    }

    /// Its variables as it was started with them; empty if it has ended or is not ours to read.
    static List<Bytes> environment(int pid) {
        return ProcFile.read("/proc/" + pid + "/environ", ENVIRONMENT_BYTES)
                .map(ProcessTable::split)
                .orElse(List.of());
    }

    private static List<Bytes> split(Bytes all) {
        List<Bytes> entries = new ArrayList<>();
        int from = 0;
        for (int to = all.indexOf((byte) 0, 0); to >= 0; to = all.indexOf((byte) 0, from)) {
            entries.add(all.slice(from, to));
            from = to + 1;
        }
        return entries;
    }

    /// Tasks of the whole machine, and the process number given last: fields four and five of `/proc/loadavg`.
    static Optional<LoadAverage> loadAverage() {
        return ProcFile.text("/proc/loadavg", LINE_BYTES).flatMap(line -> {
            String[] fields = line.trim().split(" ", -1);
            return fields.length < 5
                    ? Optional.empty()
                    : Optional.of(new LoadAverage(
                            Long.parseLong(fields[3].substring(fields[3].indexOf('/') + 1)),
                            Integer.parseInt(fields[4])));
        });
    }

    record LoadAverage(long tasks, int lastNumber) {}

    /// The list of children that the kernel keeps for the first thread of this process, kept open; empty where the
    /// kernel keeps none.
    Optional<OpenProcFile> ownChildren() {
        return listsChildren ? OpenProcFile.open("/proc/self/task/" + self() + "/children") : Optional.empty();
    }

    static List<Integer> numbers(OpenProcFile children) {
        return parsed(children.text(CHILDREN_BYTES));
    }

    private static List<Integer> numbers(String path) {
        return parsed(ProcFile.text(path, CHILDREN_BYTES).orElse(""));
    }

    private static List<Integer> parsed(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<Integer> numbers = new ArrayList<>();
        int from = 0;
        for (int to = text.indexOf(' '); to >= 0; to = text.indexOf(' ', from)) {
            numbers.add(Integer.parseInt(text, from, to, 10));
            from = to + 1;
        }
        return numbers;
    }

    private List<Integer> byScan(int parent) {
        return all().stream()
                .filter(pid -> stat(pid).filter(stat -> stat.parent() == parent).isPresent())
                .toList();
    }

    /// Every process that we may see.
    List<Integer> all() {
        String[] names = new File("/proc").list((folder, name) -> Character.isDigit(name.charAt(0)));
        if (names == null) {
            return List.of();
        }
        return Arrays.stream(names).map(Integer::valueOf).toList();
    }

    /// A number at the end of a line `name value` of a kernel file.
    static OptionalLong counter(String text, String name) {
        String start = name + " ";
        int line = 0;
        while (line < text.length() && !text.startsWith(start, line)) {
            line = endOfLine(text, line) + 1;
        }
        return line >= text.length()
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(text.substring(line + start.length(), endOfLine(text, line))
                        .trim()));
    }

    private static int endOfLine(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }
}
