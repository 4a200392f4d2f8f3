package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is wrong with an output, gathered so that all is told at once, up to a bound. Grows.
final class Findings {
    /// More than one screen of problems helps nobody.
    private static final int MAX = 20;

    private final List<Problem> problems = new ArrayList<>();
    private Optional<FaultCode> code = Optional.empty();
    private int more;

    void add(FaultCode of, Problem problem) {
        if (code.isEmpty()) {
            code = Optional.of(of);
        }
        if (problems.size() < MAX) {
            problems.add(problem);
        } else {
            more++;
        }
    }

    boolean full() {
        return problems.size() >= MAX;
    }

    /// One fault with all problems, and the code of the first.
    void throwIfAny() {
        if (code.isPresent()) {
            if (more > 0) {
                problems.add(Problem.of("and " + more + " more"));
            }
            throw new Fault(code.get(), problems);
        }
    }
}
