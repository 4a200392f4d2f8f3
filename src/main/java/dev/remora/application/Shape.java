package dev.remora.application;

import dev.remora.yaml.GoText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a field of Argo CD's types may hold: as much of Go's types as it takes to fill one from JSON as Go does, also
/// on top of what is there already.
sealed interface Shape {
    Shape TEXT = new Text(false);
    Shape FLAG = new Flag();
    Shape ANY = new Any();

    /// One text.
    ///
    /// @param optional whether absent differs from empty (a pointer in Go)
    record Text(boolean optional) implements Shape {}

    record Flag() implements Shape {}

    /// Values of one shape.
    ///
    /// @param optional whether absent differs from empty
    record ListOf(Shape item, boolean optional) implements Shape {}

    /// Texts by name.
    ///
    /// @param optional whether absent differs from empty
    record TextMap(boolean optional) implements Shape {}

    /// What only later versions read; kept as it is written.
    record Any() implements Shape {}

    /// An object with known fields; others are ignored.
    ///
    /// @param always fields that are written also when they are empty
    /// @param optional whether `null` takes it away (a pointer in Go) instead of changing nothing
    record Struct(SequencedMap<String, Shape> fields, List<String> always, boolean optional) implements Shape {
        /// The field that a key of JSON text means: its exact name, else without regard to case.
        Optional<String> named(String key) {
            if (fields.containsKey(key)) {
                return Optional.of(key);
            }
            return fields.keySet().stream()
                    .filter(name -> GoText.equalFold(key, name))
                    .findFirst();
        }

        Struct with(String name, Shape shape) {
            SequencedMap<String, Shape> more = new LinkedHashMap<>(fields);
            more.put(name, shape);
            return new Struct(more, always, optional);
        }

        Struct orAbsent() {
            return new Struct(fields, always, true);
        }

        Struct texts(String... names) {
            Struct struct = this;
            for (String name : names) {
                struct = struct.with(name, TEXT);
            }
            return struct;
        }
    }

    static Struct struct(String... always) {
        return new Struct(new LinkedHashMap<>(), List.of(always), false);
    }
}
