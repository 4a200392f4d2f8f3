package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What `kubectl -l` takes: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, joined by commas.
record LabelSelector(List<Requirement> requirements) {
    private static final String KEY = "[A-Za-z0-9][A-Za-z0-9._/-]*";
    private static final Pattern EQUAL = Pattern.compile("(" + KEY + ")\\s*(==|=|!=)\\s*([A-Za-z0-9._-]*)");
    private static final Pattern IN = Pattern.compile("(" + KEY + ")\\s+(in|notin)\\s*\\(([^()]*)\\)");
    private static final Pattern EXISTS = Pattern.compile("(!?)\\s*(" + KEY + ")");

    LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /// One condition.
    ///
    /// @param values empty: the label is there, whatever its value
    record Requirement(String key, Set<String> values, boolean wanted) {
        boolean holds(Map<String, String> labels) {
            String value = labels.get(key);
            boolean found = value != null && (values.isEmpty() || values.contains(value));
            return found == wanted;
        }
    }

    static LabelSelector parse(String text) {
        List<Requirement> all = new ArrayList<>();
        for (String part : parts(text)) {
            all.add(requirement(part.strip()));
        }
        return new LabelSelector(all);
    }

    /// Cut at commas that are in no parentheses.
    private static List<String> parts(String text) {
        return text.isBlank() ? List.of() : List.of(text.split(",(?![^(]*\\))", -1));
    }

    private static Requirement requirement(String part) {
        Matcher equal = EQUAL.matcher(part);
        if (equal.matches()) {
            return new Requirement(
                    equal.group(1), Set.of(equal.group(3)), !equal.group(2).equals("!="));
        }
        Matcher in = IN.matcher(part);
        if (in.matches()) {
            Set<String> values =
                    Stream.of(in.group(3).split(",", -1)).map(String::strip).collect(Collectors.toUnmodifiableSet());
            return new Requirement(in.group(1), values, in.group(2).equals("in"));
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            return new Requirement(exists.group(2), Set.of(), exists.group(1).isEmpty());
        }
        throw new Fault(
                FaultCode.USAGE,
                "--selector: \"" + part + "\" is none of a=b, a!=b, a in (b,c), a notin (b,c), a and !a");
    }

    boolean holds(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }
}
