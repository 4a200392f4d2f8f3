package dev.remora.cli;

import dev.remora.process.CommandEnvironment;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// This process as a [Console]. Arguments and environment are read as the kernel has them: under `LC_ALL=C`, as
/// containers have it, the JVM replaces every letter beyond ASCII by question marks. Output is UTF-8 always.
final class ProcessConsole {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final int OUT = 1;
    private static final int ERR = 2;

    private ProcessConsole() {}

    static Console open() {
        return new Console(
                new FileInputStream(FileDescriptor.in),
                stream(FileDescriptor.out),
                stream(FileDescriptor.err),
                isTerminal(OUT),
                isTerminal(ERR),
                CommandEnvironment.ofThisProcess(Map.of()),
                Path.of("").toAbsolutePath());
    }

    /// `main`'s arguments, unharmed where the system tells.
    static List<String> arguments(String[] fromJvm) {
        List<String> words = read(COMMAND_LINE);
        if (words.size() < fromJvm.length) {
            return List.of(fromJvm);
        }
        return List.copyOf(words.subList(words.size() - fromJvm.length, words.size()));
    }

    /// A list of texts that each end with a NUL; empty where there is no such file. The kernel bounds it by the limit
    /// on a process's arguments.
    private static List<String> read(Path file) {
        List<String> all = new ArrayList<>();
        try {
            byte[] bytes = Files.readAllBytes(file);
            int from = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == 0) {
                    all.add(new String(bytes, from, i - from, StandardCharsets.UTF_8));
                    from = i + 1;
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return all;
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return Optional.ofNullable(System.console())
                    .map(java.io.Console::isTerminal)
                    .orElse(false);
        }
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(
                new java.io.BufferedOutputStream(new FileOutputStream(descriptor)), true, StandardCharsets.UTF_8);
    }
}
