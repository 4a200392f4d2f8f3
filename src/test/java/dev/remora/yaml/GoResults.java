package dev.remora.yaml;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// The recorded answers of Kubernetes' Go code; see the README beside the files.
public final class GoResults {
    private GoResults() {}

    /// One question and Go's answer: JSON texts, or an error.
    @SuppressWarnings("ArrayRecordComponent") // a row of a table, never compared
    public record Row(String mode, boolean error, byte[] text, String shown, List<String> results) {
        @Override
        public String toString() {
            return mode + " " + (shown.length() > 100 ? shown.substring(0, 100) + "…" : shown);
        }
    }

    public static Stream<Row> rows(String mode) {
        return Stream.of("go-results-chosen.tsv", "go-results-random.tsv")
                .flatMap(GoResults::lines)
                .map(GoResults::row)
                .filter(row -> row.mode().equals(mode));
    }

    private static Stream<String> lines(String file) {
        try (InputStream in = Objects.requireNonNull(GoResults.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String line) {
        String[] columns = line.split("\t", -1);
        List<String> results = Arrays.stream(columns, 3, columns.length)
                .map(column -> new String(bytes(column), StandardCharsets.UTF_8))
                .toList();
        return new Row(columns[0], columns[1].equals("E"), bytes(columns[2]), columns[2], results);
    }

    private static byte[] bytes(String escaped) {
        var bytes = new ByteArrayOutputStream();
        int i = 0;
        while (i < escaped.length()) {
            char c = escaped.charAt(i);
            i++;
            if (c != '\\') {
                bytes.write(c);
                continue;
            }
            switch (escaped.charAt(i)) {
                case 'n' -> bytes.write('\n');
                case 't' -> bytes.write('\t');
                case 'r' -> bytes.write('\r');
                case 'x' -> {
                    bytes.write(Integer.parseInt(escaped.substring(i + 1, i + 3), 16));
                    i += 2;
                }
                default -> bytes.write(escaped.charAt(i));
            }
            i++;
        }
        return bytes.toByteArray();
    }
}
