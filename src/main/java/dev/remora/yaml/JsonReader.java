package dev.remora.yaml;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;

/// Reads one JSON text as Go's `encoding/json` does, with its words for what is wrong.
public final class JsonReader {
    private final String file;
    private final FaultCode code;

    /// Faults have this `code` and name `file`.
    public JsonReader(String file, FaultCode code) {
        this.file = file;
        this.code = code;
    }

    /// The one value of the text; anything after it is a fault. Equal keys are all kept, numbers as written.
    public YamlNode read(byte[] text) {
        var parser = new JsonParser(text, 0, text.length, 1);
        try {
            YamlNode value = parser.value();
            if (parser.more()) {
                throw parser.wrong("after top-level value");
            }
            return value;
        } catch (JsonFailure e) {
            throw new Fault(code, Problem.at(new Where(file, e.line(), e.column()), e.problem()));
        }
    }
}
