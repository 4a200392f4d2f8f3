package dev.remora.process;

import dev.remora.posix.Bytes;
import java.util.List;

/// A command as people read it in logs and errors. Not for running: no shell reads it back.
public final class CommandLine {
    private CommandLine() {}

    /// Arguments joined by a blank; an empty one is `""`, one with white space is quoted as Go quotes, all others
    /// stand as they are (docs/spec/processes.md, "Naming a command").
    public static String rendered(List<Bytes> argv) {
        return String.join(
                " ", argv.stream().map(argument -> rendered(argument)).toList());
    }

    private static String rendered(Bytes argument) {
        return argument.isEmpty() || hasWhiteSpace(argument) ? GoQuote.quoted(argument) : argument.toString();
    }

    private static boolean hasWhiteSpace(Bytes argument) {
        String text = argument.toString();
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (isGoSpace(text.codePointAt(i))) {
                return true;
            }
        }
        return false;
    }

    /// Unicode's White_Space property, as Go's `unicode.IsSpace`.
    private static boolean isGoSpace(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || Character.isSpaceChar(c);
    }
}
