package dev.remora.yaml;

/// What is wrong with a JSON text, in Go's words, on its way to the reader that knows the text's name.
final class JsonFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final boolean ended;
    private final int offset;
    private final int line;
    private final int column;

    JsonFailure(String problem, boolean ended, int offset, int line, int column) {
        super(problem, null, false, false);
        this.problem = problem;
        this.ended = ended;
        this.offset = offset;
        this.line = line;
        this.column = column;
    }

    String problem() {
        return problem;
    }

    /// Whether the text ended too early.
    boolean ended() {
        return ended;
    }

    /// Bytes read up to and with the one that is wrong.
    int offset() {
        return offset;
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }
}
