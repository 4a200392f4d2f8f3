package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.PluginDefinition;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Names what differs between two definitions, by the keys of the file: `generate.args, limits.timeout`.
final class DefinitionChanges {
    /// Not settings of the file.
    private static final Set<String> LEFT_OUT = Set.of("file", "notes", "digest");

    private DefinitionChanges() {}

    static List<String> between(PluginDefinition before, PluginDefinition after) {
        List<String> changed = new ArrayList<>();
        compare("", before, after, changed);
        return changed;
    }

    private static void compare(String prefix, Record before, Record after, List<String> changed) {
        for (RecordComponent component : before.getClass().getRecordComponents()) {
            String name = component.getName();
            if (prefix.isEmpty() && LEFT_OUT.contains(name)) {
                continue;
            }
            Object old = value(component, before);
            Object next = value(component, after);
            if (Objects.equals(old, next)) {
                continue;
            }
            String key = prefix + key(name);
            if (inner(old) instanceof Record oldInner
                    && inner(next) instanceof Record nextInner
                    && oldInner.getClass().equals(nextInner.getClass())) {
                compare(name.equals("settings") ? "" : key + ".", oldInner, nextInner, changed);
            } else {
                changed.add(key);
            }
        }
    }

    private static Object inner(Object value) {
        return value instanceof Optional<?> optional
                ? optional.map(Object.class::cast).orElse("")
                : value;
    }

    private static String key(String component) {
        return switch (component) {
            case "staticParameters" -> "parameters.static";
            case "dynamicParameters" -> "parameters.dynamic";
            default -> component;
        };
    }

    private static Object value(RecordComponent component, Record of) {
        try {
            // Private records of other packages stay closed unless asked.
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new Fault(FaultCode.INTERNAL, "comparing definitions: " + component.getName(), e);
        }
    }
}
