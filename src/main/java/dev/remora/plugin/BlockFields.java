package dev.remora.plugin;

import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import dev.remora.fault.Where;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The fields of one object of the `remora` block: unlike in the rest of the file, an unknown key is a problem, and
/// numbers have ranges.
final class BlockFields {
    private final GoFields fields;
    private final String file;
    private final List<Problem> problems;

    BlockFields(GoFields fields, String file, List<Problem> problems, List<String> known) {
        this.fields = fields;
        this.file = file;
        this.problems = problems;
        for (YamlNode.Entry entry : fields.unknown(known)) {
            problems.add(Problem.at(
                    new Where(file, entry.line(), entry.column()),
                    fields.path() + "." + entry.key() + " is unknown"
                            + Proposal.questionAndAll(entry.key(), "keys", known)));
        }
    }

    GoFields go() {
        return fields;
    }

    /// A whole number, with or without suffix, from `least` to `most`.
    OptionalLong quantity(String name, long least, long most) {
        Optional<YamlNode> node = fields.value(name);
        if (node.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong value = Quantity.parse(written(node.get()));
        if (value.isEmpty()) {
            problem(name, " is no whole number", "write a number such as 500, 64Mi or 1M");
        } else if (value.getAsLong() < least || value.getAsLong() > most) {
            problem(name, " is " + value.getAsLong(), "write a number from " + least + " to " + most);
            return OptionalLong.empty();
        }
        return value;
    }

    long quantity(String name, long least, long most, long otherwise) {
        return quantity(name, least, most).orElse(otherwise);
    }

    OptionalInt integer(String name, int least, int most) {
        OptionalLong value = quantity(name, least, most);
        return value.isPresent() ? OptionalInt.of(Math.toIntExact(value.getAsLong())) : OptionalInt.empty();
    }

    int integer(String name, int least, int most, int otherwise) {
        return integer(name, least, most).orElse(otherwise);
    }

    /// A duration as Go writes it, of at least `least`.
    Optional<Duration> duration(String name, Duration least) {
        Optional<YamlNode> node = fields.value(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        Optional<Duration> value = GoDuration.parse(written(node.get()));
        if (value.isEmpty() || node.get() instanceof YamlNode.Number) {
            problem(name, " is no duration", "write a number with its unit, such as 90s, 1m30s or 250ms");
            return Optional.empty();
        }
        if (value.get().compareTo(least) < 0) {
            problem(name, " is too short", "write at least " + least.toMillis() + "ms");
            return Optional.empty();
        }
        return value;
    }

    /// Adds a problem at the field, or at its item.
    void problem(String name, String what, String advice) {
        problems.add(Problem.at(fields.where(name), fields.path() + "." + name + what, advice));
    }

    void problem(YamlNode at, String path, String what, String advice) {
        problems.add(Problem.at(new Where(file, at.line(), at.column()), path + what, advice));
    }

    private static String written(YamlNode node) {
        return switch (node) {
            case YamlNode.Text text -> text.value();
            case YamlNode.Number number -> number.json();
            case YamlNode.Bool bool -> bool.source();
            case YamlNode.Mapping mapping -> mapping.goKind();
            case YamlNode.Sequence sequence -> sequence.goKind();
            case YamlNode.Null nothing -> "";
        };
    }
}
