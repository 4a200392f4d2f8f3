package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The pieces of YAML output between lines that begin with three dashes, one after another, each copied into one buffer
/// that is used again: lines end with LF there, also the last. Moves forward; not for several threads.
final class Chunks {
    /// Of a line that is no good as a separator, as much as a message shows.
    private static final int SHOWN = 80;

    private final byte[] output;
    private int position;
    private int nextLine;

    private byte[] buffer = new byte[0];
    private int size;
    private int line;

    /// Begins at byte `from`, which is on `line`.
    Chunks(byte[] output, int from, int line) {
        this.output = output;
        this.position = from;
        this.nextLine = line;
    }

    /// Goes to the next chunk; false at the end. A separator with nothing before it is the chunk's own first line,
    /// where
    /// YAML takes it for the beginning of the document.
    boolean next() {
        if (position >= output.length) {
            return false;
        }
        line = nextLine;
        int start = position;
        while (position < output.length) {
            if (atSeparator()) {
                checkSeparator();
                if (position > start) {
                    fill(start, position);
                    passLine();
                    return true;
                }
            }
            passLine();
        }
        fill(start, position);
        return true;
    }

    private void passLine() {
        position = lineEnd(position);
        nextLine++;
    }

    /// The chunk, behind which [YamlReader#PADDING] zero bytes follow.
    byte[] buffer() {
        return buffer;
    }

    int size() {
        return size;
    }

    /// The line of the output on which the chunk begins.
    int line() {
        return line;
    }

    private boolean atSeparator() {
        return position + 3 <= output.length
                && output[position] == '-'
                && output[position + 1] == '-'
                && output[position + 2] == '-';
    }

    private void checkSeparator() {
        String rest = OutputText.trimmed(
                new String(output, position + 3, lineEnd(position) - position - 3, StandardCharsets.UTF_8));
        if (!rest.isEmpty() && !rest.startsWith("#")) {
            String shown = rest.length() > SHOWN ? rest.substring(0, SHOWN) + "…" : rest;
            throw new Fault(
                    FaultCode.OUTPUT_INVALID,
                    "failed to unmarshal manifest: invalid Yaml document separator: " + shown + " (line " + nextLine
                            + " of the output)");
        }
    }

    /// Behind the line feed of the line in which `from` is.
    private int lineEnd(int from) {
        int i = from;
        while (i < output.length && output[i] != '\n') {
            i++;
        }
        return Math.min(i + 1, output.length);
    }

    private void fill(int from, int to) {
        int room = to - from + 1 + YamlReader.PADDING;
        if (buffer.length < room) {
            buffer = new byte[Math.max(room, Math.min(2 * buffer.length, output.length + 1 + YamlReader.PADDING))];
        }
        size = 0;
        for (int i = from; i < to; i++) {
            boolean dropped = output[i] == '\r' && i + 1 < to && output[i + 1] == '\n';
            if (!dropped) {
                buffer[size++] = output[i];
            }
        }
        if (buffer[size - 1] != '\n') {
            buffer[size++] = '\n';
        }
        Arrays.fill(buffer, size, size + YamlReader.PADDING, (byte) 0);
    }
}
