package dev.remora.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A collection that is being read: what it holds so far and what it expects. Changes; only its [Composer] touches it.
final class Open {
    enum State {
        BLOCK_SEQUENCE,
        INDENTLESS_SEQUENCE,
        FLOW_SEQUENCE,
        BLOCK_MAPPING_KEY,
        BLOCK_MAPPING_VALUE,
        FLOW_MAPPING_KEY,
        FLOW_MAPPING_VALUE,
        FLOW_MAPPING_NO_VALUE,
        /// A mapping of one pair written inside a flow sequence: `[a: b]`.
        FLOW_PAIR_KEY,
        FLOW_PAIR_VALUE,
        FLOW_PAIR_END
    }

    final String anchor;
    final int line;
    final int column;
    final long countBefore;
    final Anchored anchored;
    State state;
    boolean first = true;

    private final boolean sequence;
    private final List<YamlNode> items = new ArrayList<>(0);
    private final Map<String, YamlNode.Entry> entries = new LinkedHashMap<>(0);
    private final Set<String> merged = new HashSet<>(0);
    private final List<Repeated> repeated = new ArrayList<>(0);
    private boolean expectsValue;
    private boolean merging;
    private String key = "";
    private int keyLine;
    private int keyColumn;

    Open(State state, String anchor, int line, int column, long countBefore) {
        this.state = state;
        this.anchor = anchor;
        this.line = line;
        this.column = column;
        this.countBefore = countBefore;
        this.sequence =
                state == State.BLOCK_SEQUENCE || state == State.INDENTLESS_SEQUENCE || state == State.FLOW_SEQUENCE;
        this.anchored = new Anchored(sequence);
    }

    YamlNode node() {
        return sequence
                ? new YamlNode.Sequence(items, line, column)
                : new YamlNode.Mapping(List.copyOf(entries.values()), line, column);
    }

    /// Takes the next item, key or value.
    void accept(YamlNode node, int nodeLine, int nodeColumn, boolean alias, boolean mergeKey, AliasGuard guard) {
        if (sequence) {
            items.add(node);
        } else if (expectsValue) {
            expectsValue = false;
            if (merging) {
                merge(node, nodeLine, nodeColumn, alias, guard);
            } else {
                put(new YamlNode.Entry(key, keyLine, keyColumn, node));
            }
        } else {
            expectsValue = true;
            merging = mergeKey;
            keyLine = nodeLine;
            keyColumn = nodeColumn;
            if (mergeKey) {
                guard.unnode(1);
            } else {
                key = keyText(node);
            }
        }
    }

    private void put(YamlNode.Entry entry) {
        YamlNode.Entry before = entries.put(entry.key(), entry);
        if (before != null && !merged.contains(entry.key())) {
            repeated.add(new Repeated(entry.key(), entry.line(), entry.column(), before.line()));
        }
    }

    /// Keys written twice, not counting those that a merge brought.
    List<Repeated> repeated() {
        return repeated;
    }

    /// The entries of one mapping, or of several, the first of which wins.
    private void merge(YamlNode value, int valueLine, int valueColumn, boolean alias, AliasGuard guard) {
        if (value instanceof YamlNode.Mapping mapping) {
            putAll(mapping);
        } else if (value instanceof YamlNode.Sequence list && !alias) {
            guard.unnode(1);
            for (YamlNode item : list.items().reversed()) {
                putAll(mapping(item, valueLine, valueColumn));
            }
        } else {
            mapping(null, valueLine, valueColumn);
        }
    }

    /// Whether the next value is merged.
    boolean expectsMerged() {
        return expectsValue && merging;
    }

    static YamlFailure noMapping(int line, int column) {
        return new YamlFailure("map merge requires map or sequence of maps as the value", line, column);
    }

    private static YamlNode.Mapping mapping(@Nullable YamlNode node, int line, int column) {
        if (node instanceof YamlNode.Mapping mapping) {
            return mapping;
        }
        throw noMapping(line, column);
    }

    private void putAll(YamlNode.Mapping mapping) {
        for (YamlNode.Entry entry : mapping.entries()) {
            entries.put(entry.key(), entry);
            merged.add(entry.key());
        }
    }

    private String keyText(YamlNode node) {
        return switch (node) {
            case YamlNode.Text text -> text.value();
            case YamlNode.Bool bool -> Boolean.toString(bool.value());
            case YamlNode.Number number -> numberText(number);
            case YamlNode.Null _ -> throw unsupported("null");
            case YamlNode.Mapping _, YamlNode.Sequence _ ->
                throw new YamlFailure("invalid map key: a collection cannot be a key", keyLine, keyColumn);
        };
    }

    private String numberText(YamlNode.Number number) {
        if (!number.integer()) {
            return GoNumbers.key(
                    switch (number.json()) {
                        case "NaN" -> Double.NaN;
                        case "+Inf" -> Double.POSITIVE_INFINITY;
                        case "-Inf" -> Double.NEGATIVE_INFINITY;
                        default -> Double.parseDouble(number.json());
                    });
        }
        if (new java.math.BigInteger(number.json()).bitLength() > Long.SIZE - 1) {
            throw unsupported("uint64");
        }
        return number.json();
    }

    private YamlFailure unsupported(String type) {
        return new YamlFailure(YamlFailure.UNSUPPORTED_KEY + type, keyLine, keyColumn);
    }
}
