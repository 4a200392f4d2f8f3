package dev.remora.cli;

import dev.remora.application.PluginParameter;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// `--plugin-param`: `K=V` a string, `K[]=V` the next element of an array, `K.x=V` the entry `x` of a map. Flags of one
/// name make one parameter, which may carry several kinds, as in an Application.
final class ParameterFlags {
    private static final String ELEMENT = "[]";

    private final SequencedMap<String, String> strings = new LinkedHashMap<>();
    private final SequencedMap<String, List<String>> arrays = new LinkedHashMap<>();
    private final SequencedMap<String, SequencedMap<String, String>> maps = new LinkedHashMap<>();
    private final List<String> names = new ArrayList<>();

    private ParameterFlags() {}

    static List<PluginParameter> parse(List<String> flags) {
        ParameterFlags all = new ParameterFlags();
        flags.forEach(all::add);
        return all.names.stream().map(all::parameter).toList();
    }

    /// `LEFT=RIGHT` at the first sign.
    static Map.Entry<String, String> cut(Setting setting, String value, String form) {
        int equals = value.indexOf('=');
        if (equals <= 0) {
            throw new Fault(FaultCode.USAGE, setting.flag() + ": \"" + value + "\" is not of the form " + form);
        }
        return Map.entry(value.substring(0, equals), value.substring(equals + 1));
    }

    private void add(String flag) {
        Map.Entry<String, String> pair = cut(FolderSettings.PLUGIN_PARAM, flag, "K=V, K[]=V or K.x=V");
        String key = pair.getKey();
        int dot = key.indexOf('.');
        if (key.endsWith(ELEMENT) && key.length() > ELEMENT.length()) {
            String name = named(key.substring(0, key.length() - ELEMENT.length()));
            arrays.computeIfAbsent(name, n -> new ArrayList<>()).add(pair.getValue());
        } else if (dot > 0) {
            maps.computeIfAbsent(named(key.substring(0, dot)), n -> new LinkedHashMap<>())
                    .put(key.substring(dot + 1), pair.getValue());
        } else {
            strings.put(named(key), pair.getValue());
        }
    }

    private String named(String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
        return name;
    }

    private PluginParameter parameter(String name) {
        return new PluginParameter(
                name,
                Optional.ofNullable(strings.get(name)),
                Optional.ofNullable(maps.get(name)),
                Optional.ofNullable(arrays.get(name)).map(List::copyOf));
    }
}
