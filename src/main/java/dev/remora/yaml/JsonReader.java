package dev.remora.yaml;

import dev.remora.fault.FaultCode;

/// Reads one JSON text as Go's `encoding/json` does, with its words for what is wrong.
public final class JsonReader {
    private final String file;
    private final FaultCode code;

    /// Faults have this `code` and name `file`.
    public JsonReader(String file, FaultCode code) {
        this.file = file;
        this.code = code;
    }

    /// The one value of the text; anything after it is a fault.
    public YamlNode read(byte[] text) {
        throw new UnsupportedOperationException(file + code);
    }
}
