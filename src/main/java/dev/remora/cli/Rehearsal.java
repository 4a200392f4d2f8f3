package dev.remora.cli;

/// Runs what users run most, once, so that a start cache can be made of what was loaded.
///
/// Arguments: the folder of examples, and an empty folder to work in.
public final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) {
        System.exit(Main.run(ProcessConsole.open(), "--version"));
    }
}
