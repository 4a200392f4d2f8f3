package dev.remora.yaml;

import dev.remora.fault.FaultCode;

/// Reads the first document of a YAML text as Kubernetes does.
public final class YamlReader {
    private final String file;
    private final FaultCode code;

    /// Faults have this `code` and name `file`.
    public YamlReader(String file, FaultCode code) {
        this.file = file;
        this.code = code;
    }

    /// The first document; a [YamlNode.Null] when there is none. What follows it is not read.
    public YamlNode read(byte[] text) {
        throw new UnsupportedOperationException(file + code);
    }
}
