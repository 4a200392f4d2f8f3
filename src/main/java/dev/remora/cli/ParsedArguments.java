package dev.remora.cli;

import java.util.List;
import java.util.Map;

/// A command line taken apart: the values of each flag by its setting's key, in the order given, and the other words.
record ParsedArguments(Map<String, List<String>> flags, List<String> words) {
    ParsedArguments {
        flags = Map.copyOf(flags);
        words = List.copyOf(words);
    }
}
