package dev.remora.worker;

import dev.remora.posix.Bytes;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.YamlNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a worker is asked for: everything that the command would have got as arguments, environment and folder
/// (docs/spec/worker.md, "The request").
///
/// @param arguments `args` of the command that it stands in for
/// @param environment `NAME=VALUE`, names unique
/// @param workspace the root of the unpacked repository, absolute
/// @param directory the application's folder in it, absolute
/// @param verbosity above 0: more on standard error
public record WorkRequest(
        List<String> arguments, List<Bytes> environment, Bytes workspace, Bytes directory, int verbosity) {
    public WorkRequest {
        arguments = List.copyOf(arguments);
        environment = List.copyOf(environment);
    }

    /// Whether JSON can say it: its strings are characters, while names and values may be any bytes.
    boolean sayable() {
        return Stream.concat(environment.stream(), Stream.of(workspace, directory))
                .allMatch(Bytes::isUtf8);
    }

    /// The line of a request.
    byte[] line(int id) {
        return line(YamlNode.map(List.of(
                YamlNode.entry("requestId", number(id)),
                YamlNode.entry(
                        "arguments",
                        YamlNode.list(arguments.stream().map(YamlNode::text).toList())),
                YamlNode.entry("inputs", YamlNode.list(List.of())),
                YamlNode.entry("verbosity", number(verbosity)),
                YamlNode.entry("sandboxDir", YamlNode.text(workspace.toString())),
                YamlNode.entry("workingDirectory", YamlNode.text(directory.toString())),
                YamlNode.entry("environment", YamlNode.map(variables())))));
    }

    /// The line that asks to give a request up.
    static byte[] cancelLine(int id) {
        return line(YamlNode.map(List.of(
                YamlNode.entry("requestId", number(id)),
                YamlNode.entry("cancel", new YamlNode.Bool(true, "true", 0, 0)))));
    }

    private List<YamlNode.Entry> variables() {
        List<YamlNode.Entry> entries = new ArrayList<>();
        for (Bytes assignment : environment) {
            int equals = assignment.indexOf((byte) '=', 1);
            entries.add(YamlNode.entry(
                    assignment.slice(0, equals).toString(),
                    YamlNode.text(
                            assignment.slice(equals + 1, assignment.length()).toString())));
        }
        return entries;
    }

    private static YamlNode number(int value) {
        String text = Integer.toString(value);
        return new YamlNode.Number(text, text, true, 0, 0);
    }

    private static byte[] line(YamlNode node) {
        return (GoJson.text(node) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
