package dev.remora.fault;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The one exception for everything that we refuse or that failed, with its code.
///
/// A fault may carry several problems of one code: readers check everything and report all.
/// Its message is fit to be shown to a user and never holds a secret.
public final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final FaultCode code;
    private final transient List<Problem> problems;
    private final String application;

    public Fault(FaultCode code, String message) {
        this(code, List.of(Problem.of(message)), null, "");
    }

    public Fault(FaultCode code, Problem problem) {
        this(code, List.of(problem), null, "");
    }

    public Fault(FaultCode code, List<Problem> problems) {
        this(code, problems, null, "");
    }

    public Fault(FaultCode code, String message, Throwable cause) {
        this(code, List.of(Problem.of(message)), cause, "");
    }

    private Fault(FaultCode code, List<Problem> problems, @Nullable Throwable cause, String application) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")), cause);
        this.code = code;
        this.problems = List.copyOf(problems);
        this.application = application;
    }

    public FaultCode code() {
        return code;
    }

    public FaultKind kind() {
        return code.kind();
    }

    public List<Problem> problems() {
        return problems;
    }

    /// The Application whose fault this is; empty where there is none, or where that is plain.
    public String application() {
        return application;
    }

    /// The same fault, of this Application.
    public Fault about(String name) {
        return new Fault(code, problems, this, name);
    }

    /// The same fault with words in front of its first problem, as each level of a call adds what it knows.
    public Fault in(String context) {
        Problem first = problems.getFirst();
        var all = new java.util.ArrayList<>(problems);
        all.set(0, new Problem(first.where(), context + first.message(), first.advice()));
        return new Fault(code, all, this, application);
    }

    /// The same fault with every sentence changed by `words`, as a mask hides secrets.
    public Fault reworded(UnaryOperator<String> words) {
        List<Problem> changed = problems.stream()
                .map(problem -> new Problem(
                        problem.where(),
                        words.apply(problem.message()),
                        problem.advice().map(words)))
                .toList();
        return new Fault(code, changed, this, application);
    }

    /// The message of any exception, for wrapping: never null.
    public static String words(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
