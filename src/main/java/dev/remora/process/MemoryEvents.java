package dev.remora.process;

import dev.remora.posix.ProcFile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// How often the kernel killed a process of our cgroup because its memory ran out: `oom_kill` in `memory.events`
/// (cgroup v2) or `memory.oom_control` (v1). In a container our cgroup is usually the root of what we see.
final class MemoryEvents {
    private static final int FILE_BYTES = 4096;
    private static final String ROOT = "/sys/fs/cgroup";

    private final Optional<String> file;

    private MemoryEvents(Optional<String> file) {
        this.file = file;
    }

    static MemoryEvents find() {
        return find(ProcFile.text("/proc/self/cgroup", FILE_BYTES).orElse(""), ROOT);
    }

    static MemoryEvents find(String memberships, String root) {
        return new MemoryEvents(memberships
                .lines()
                .flatMap(line -> candidates(line.split(":", 3), root))
                .filter(path -> counter(path).isPresent())
                .findFirst());
    }

    /// Of `4:memory:/path` and `0::/path` the files that may hold the counter.
    private static Stream<String> candidates(String[] fields, String root) {
        if (fields.length < 3) {
            return Stream.of();
        }
        if (List.of(fields[1].split(",")).contains("memory")) {
            return Stream.of(fields[2], "").map(path -> root + "/memory" + path + "/memory.oom_control");
        }
        return fields[1].isEmpty()
                ? Stream.of("", "/unified")
                        .flatMap(mount -> Stream.of(fields[2], "").map(path -> root + mount + path + "/memory.events"))
                : Stream.of();
    }

    boolean available() {
        return file.isPresent();
    }

    /// Processes killed so far; 0 where nothing counts them.
    long killed() {
        return file.isEmpty() ? 0 : counter(file.get()).orElse(0);
    }

    private static OptionalLong counter(String path) {
        Optional<String> text = ProcFile.text(path, FILE_BYTES);
        return text.isEmpty() ? OptionalLong.empty() : ProcessTable.counter(text.get(), "oom_kill");
    }
}
