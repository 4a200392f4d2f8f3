package dev.remora.plugin;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One parameter that a plugin offers, as it goes over the wire: not set and empty are the same there.
public record ParameterAnnouncement(
        String name,
        String title,
        String tooltip,
        boolean required,
        String itemType,
        String collectionType,
        String string,
        List<String> array,
        Map<String, String> map) {
    public ParameterAnnouncement {
        array = List.copyOf(array);
        map = Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
