package dev.remora.cli;

import java.util.List;

/// A command: what its users see, and what it does.
record Command(CommandModel model, Work work) {

    /// The second layer: knows settings and words, and nothing of how they were written.
    @FunctionalInterface
    interface Work {
        /// Returns the exit code; what failed is thrown as a [dev.remora.fault.Fault].
        int run(SettingValues settings, List<String> words, Console console);
    }
}
