package dev.remora.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/// `remora version`.
final class VersionCommand {
    static final Setting OUTPUT = Setting.choice("output", "text", "the form of the result", "text", "json")
            .withLetter("o")
            .only(Setting.Places.FLAG);
    private static final String UNPACKAGED = "development";

    private VersionCommand() {}

    static int run(SettingValues settings, Console console) {
        String java = System.getProperty("java.runtime.version", "");
        if (settings.text(OUTPUT).equals("json")) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("schema", "remora/version/v1");
            json.put("version", version());
            json.put("java", java);
            console.out().print(JsonDocument.write(json));
        } else {
            console.out().println("remora " + version() + " (Java " + java + ")");
        }
        return ExitCode.DONE;
    }

    /// The version in the jar's manifest.
    static String version() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return version == null ? UNPACKAGED : version;
    }
}
