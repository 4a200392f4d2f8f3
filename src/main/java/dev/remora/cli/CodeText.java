package dev.remora.cli;

import dev.remora.fault.FaultCode;
import dev.remora.fault.FaultKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The long text of a fault's code: what it means, who can mend it, what to do, and for those that people meet most the
/// story behind it, from `codes/<code>.md` beside this class.
final class CodeText {
    private static final int MAX_BYTES = 64 << 10;

    private CodeText() {}

    static String markdown(FaultCode code) {
        StringBuilder text = new StringBuilder("# ").append(code.id()).append("\n\n");
        text.append(code.summary()).append("\n\n");
        text.append(story(code).map(story -> story.strip() + "\n\n").orElse(""));
        text.append("**What to do:** ").append(code.advice()).append("\n\n");
        text.append("**Kind:** ").append(kind(code)).append('\n');
        return text.toString();
    }

    static Map<String, Object> json(FaultCode code) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", "remora/explain-code/v1");
        json.put("code", code.id());
        json.put("kind", code.kind().name());
        json.put("summary", code.summary());
        json.put("advice", code.advice());
        json.put("markdown", markdown(code));
        return json;
    }

    private static String kind(FaultCode code) {
        int exit = code == FaultCode.USAGE ? ExitCode.USAGE : code.kind().exitCode();
        return code.kind() + ", " + meaning(code.kind()) + "; a command ends with exit code " + exit + ".";
    }

    private static String meaning(FaultKind kind) {
        return switch (kind) {
            case USER -> "the content is wrong";
            case LIMIT -> "a limit of time, bytes or count fired";
            case ENVIRONMENT -> "something outside is missing or refused";
            case BUG -> "a fault of Remora itself";
        };
    }

    private static Optional<String> story(FaultCode code) {
        try (InputStream in = CodeText.class.getResourceAsStream("codes/" + code.id() + ".md")) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
