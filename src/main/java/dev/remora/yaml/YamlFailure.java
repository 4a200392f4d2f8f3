package dev.remora.yaml;

/// What is wrong with a YAML text, on its way to the [YamlReader] that knows the text's name. Cheap: no stack trace.
final class YamlFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    static final String UNSUPPORTED_KEY = "unsupported map key of type: ";

    private final String problem;
    private final int line;
    private final int column;

    YamlFailure(String problem, int line, int column) {
        super(problem, null, false, false);
        this.problem = problem;
        this.line = line;
        this.column = column;
    }

    /// Whether go-yaml reads the text, and only the step from its values to JSON fails.
    boolean inConversion() {
        return problem.startsWith(UNSUPPORTED_KEY);
    }

    String problem() {
        return problem;
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }
}
