package dev.remora.testing;

import dev.remora.sandbox.Processor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The kernel's headers for programs, of one processor, where they are installed.
public enum KernelHeaders {
    X86_64(Processor.X86_64, List.of("/usr/include/x86_64-linux-gnu", "/usr/include"), "asm/unistd_64.h"),
    AARCH64(Processor.AARCH64, List.of("/usr/aarch64-linux-gnu/include"), "asm-generic/unistd.h");

    private static final Pattern DEFINED =
            Pattern.compile("(?m)^#define[ \\t]+(\\w+)[ \\t]+(-?(?:0x[0-9a-fA-F]+|\\d+))\\b");
    private static final Pattern FIELD =
            Pattern.compile("(?m)^\\t(__u16|__u32|__u64|__s32|__s64|struct statx_timestamp)\\s+(\\w+)(?:\\[(\\d+)])?;");
    private static final Map<String, Integer> SIZES =
            Map.of("__u16", 2, "__u32", 4, "__s32", 4, "__u64", 8, "__s64", 8, "struct statx_timestamp", 16);

    private final Processor processor;

    @SuppressWarnings("ImmutableEnumChecker") // a List.of
    private final List<String> folders;

    private final String unistd;

    KernelHeaders(Processor processor, List<String> folders, String unistd) {
        this.processor = processor;
        this.folders = folders;
        this.unistd = unistd;
    }

    public Processor processor() {
        return processor;
    }

    public boolean there() {
        return folders.stream().anyMatch(folder -> Files.exists(Path.of(folder, unistd)));
    }

    public String missing() {
        return "the kernel's headers for " + name() + " are not installed";
    }

    private String text(String header) throws IOException {
        for (String folder : folders) {
            if (Files.exists(Path.of(folder, header))) {
                return Files.readString(Path.of(folder, header));
            }
        }
        return "";
    }

    /// What a header defines as a number, by name without `prefix`; an octal number begins with 0.
    public Map<String, Long> numbers(String header, String prefix) throws IOException {
        Map<String, Long> all = new HashMap<>();
        for (Matcher found = DEFINED.matcher(text(header)); found.find(); ) {
            if (found.group(1).startsWith(prefix)) {
                all.put(found.group(1).substring(prefix.length()), Long.decode(found.group(2)));
            }
        }
        return all;
    }

    public Map<String, Long> systemCalls() throws IOException {
        Map<String, Long> all = numbers(unistd, "__NR_");
        // Those that are called otherwise on processors of 32 bits.
        numbers(unistd, "__NR3264_").forEach(all::putIfAbsent);
        return all;
    }

    /// Where the fields of a structure lie, aligned to their size; the whole size under no name.
    public Map<String, Long> offsets(String header, String structure) throws IOException {
        String text = text(header);
        int from = text.indexOf("struct " + structure + " {");
        Map<String, Long> all = new HashMap<>();
        long at = 0;
        for (Matcher field = FIELD.matcher(text.substring(from, text.indexOf("\n};", from))); field.find(); ) {
            int size = SIZES.getOrDefault(field.group(1), 0);
            int alignment = Math.min(size, 8);
            at = (at + alignment - 1) / alignment * alignment;
            all.put(field.group(2), at);
            at += size * (field.group(3) == null ? 1 : Long.parseLong(field.group(3)));
        }
        all.put("", at);
        return all;
    }
}
