package dev.remora.cli;

/// The program's entry: runs one command and ends with its exit code.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /// Runs a command; tests call it. Returns the exit code.
    static int run(String[] args) {
        return args.length == 0 ? 2 : 0;
    }
}
