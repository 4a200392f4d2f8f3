package dev.remora.worker;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.math.BigDecimal;
import java.util.Optional;

/// What a worker answers (docs/spec/worker.md, "The answer"). A field that is missing or null has its zero value, as
/// in the protocol's own definition; unknown fields are passed over.
record WorkResponse(int exitCode, String output, int requestId, boolean wasCancelled) {
    private static final String NAME = "answer";

    /// One that is not the protocol's.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /// @param id of the request that it must answer
    static WorkResponse parse(byte[] line, int id) throws Malformed {
        YamlNode node;
        try {
            node = new JsonReader(NAME, FaultCode.COMMAND_FAILED).read(line);
        } catch (Fault fault) {
            throw new Malformed("its answer is no JSON: " + Fault.words(fault));
        }
        if (!(node instanceof YamlNode.Mapping fields)) {
            throw new Malformed("its answer is no JSON object");
        }
        WorkResponse response = new WorkResponse(
                integer(fields, "exitCode"),
                text(fields, "output"),
                integer(fields, "requestId"),
                bool(fields, "wasCancelled"));
        if (response.requestId() != id) {
            throw new Malformed("it answered request " + response.requestId() + " instead of " + id);
        }
        return response;
    }

    private static int integer(YamlNode.Mapping fields, String name) throws Malformed {
        Optional<YamlNode> value = stated(fields, name);
        if (value.isEmpty()) {
            return 0;
        }
        if (value.get() instanceof YamlNode.Number number && number.integer()) {
            try {
                return new BigDecimal(number.json()).intValueExact();
            } catch (ArithmeticException e) {
                throw wrong(name, "an integer of 32 bits");
            }
        }
        throw wrong(name, "an integer");
    }

    private static String text(YamlNode.Mapping fields, String name) throws Malformed {
        Optional<YamlNode> value = stated(fields, name);
        if (value.isEmpty()) {
            return "";
        }
        if (value.get() instanceof YamlNode.Text text) {
            return text.value();
        }
        throw wrong(name, "a string");
    }

    private static boolean bool(YamlNode.Mapping fields, String name) throws Malformed {
        Optional<YamlNode> value = stated(fields, name);
        if (value.isEmpty()) {
            return false;
        }
        if (value.get() instanceof YamlNode.Bool bool) {
            return bool.value();
        }
        throw wrong(name, "true or false");
    }

    private static Optional<YamlNode> stated(YamlNode.Mapping fields, String name) {
        return fields.get(name).filter(value -> !(value instanceof YamlNode.Null));
    }

    private static Malformed wrong(String name, String wanted) {
        return new Malformed("its answer's " + name + " is not " + wanted);
    }
}
