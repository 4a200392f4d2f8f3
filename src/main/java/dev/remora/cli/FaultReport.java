package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A fault as people and programs read it.
final class FaultReport {
    static final String SCHEMA = "remora/fault/v1";

    private FaultReport() {}

    /// One line a problem, the code behind the last one, then what to do.
    static String text(Fault fault) {
        StringBuilder text = new StringBuilder();
        List<Problem> problems = fault.problems();
        for (int i = 0; i < problems.size(); i++) {
            text.append("error: ").append(problems.get(i));
            if (i == problems.size() - 1) {
                text.append(" [").append(fault.code().id()).append(']');
            }
            text.append('\n');
        }
        boolean advised = problems.stream().anyMatch(problem -> problem.advice().isPresent());
        if (!advised && fault.code() != FaultCode.USAGE) {
            text.append("  → ").append(fault.code().advice()).append('\n');
        }
        return text.toString();
    }

    /// The same with the word `error:` in red, wherever a line begins with it.
    static String colored(String text) {
        return text.replaceAll("(?m)^error:", "\033[31merror:\033[0m");
    }

    /// The first problem at the top, as one fault; all of them below `problems`.
    static Map<String, Object> json(Fault fault, Optional<String> application) {
        Problem first = fault.problems().getFirst();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("code", fault.code().id());
        json.put("kind", fault.kind().name());
        String name = application.orElse(fault.application());
        if (!name.isEmpty()) {
            json.put("app", name);
        }
        json.putAll(problem(first));
        json.putIfAbsent("advice", fault.code().advice());
        if (fault.problems().size() > 1) {
            List<Map<String, Object>> all = new ArrayList<>();
            fault.problems().forEach(problem -> all.add(problem(problem)));
            json.put("problems", all);
        }
        return json;
    }

    private static Map<String, Object> problem(Problem problem) {
        Map<String, Object> json = new LinkedHashMap<>();
        problem.where().ifPresent(where -> json.put("where", where(where)));
        json.put("message", problem.message());
        problem.advice().ifPresent(advice -> json.put("advice", advice));
        return json;
    }

    private static Map<String, Object> where(Where where) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", where.file());
        if (where.line() > 0) {
            json.put("line", where.line());
        }
        if (where.column() > 0) {
            json.put("column", where.column());
        }
        return json;
    }
}
