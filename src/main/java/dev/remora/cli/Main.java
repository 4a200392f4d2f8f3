package dev.remora.cli;

import java.util.List;

/// The program's entry: runs one command and ends with its exit code.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(Program.on(ProcessConsole.open()).run(ProcessConsole.arguments(args)));
    }

    /// Runs a command in this process; returns the exit code.
    static int run(Console console, String... arguments) {
        return Program.on(console).run(List.of(arguments));
    }
}
