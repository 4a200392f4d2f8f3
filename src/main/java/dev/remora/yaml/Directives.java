package dev.remora.yaml;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Reads the directives before a document: `%YAML 1.1` and tag handles.
final class Directives {
    private final Scanner scanner;

    Directives(Scanner scanner) {
        this.scanner = scanner;
    }

    /// Adds what the directives define to `tagHandles`.
    void read(Map<String, String> tagHandles) {
        boolean version = false;
        Set<String> defined = new HashSet<>();
        for (Token token = scanner.peek(); Composer.isDirective(token); token = scanner.peek()) {
            if (token.type == Token.Type.VERSION_DIRECTIVE) {
                check(!version, "found duplicate %YAML directive", token);
                check(isOne(token.text) && isOne(token.suffix), "found incompatible YAML document", token);
                version = true;
            } else {
                check(defined.add(token.text), "found duplicate %TAG directive", token);
                tagHandles.put(token.text, token.suffix);
            }
            scanner.take();
        }
    }

    private static boolean isOne(String number) {
        return Integer.parseInt(number) == 1;
    }

    private static void check(boolean fine, String problem, Token token) {
        if (!fine) {
            throw new YamlFailure(problem, token.line, token.column);
        }
    }
}
