package dev.remora.telemetry;

import dev.remora.fault.Secret;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// Hides the values of variables that are named like secrets, wherever they turn up in text: command lines, standard
/// error, messages. The name decides, since nothing else about a value says that it is secret.
///
/// Known limits: a value that a tool prints in another form (base64, quoted with escapes, cut in two) is not found;
/// values under `SHORTEST` characters are left, since masking every "1" would destroy the text and give the value away.
public final class Mask {
    public static final Mask NONE = new Mask(List.of());

    /// Below this a value is too common a piece of text to be searched for.
    private static final int SHORTEST = 4;
    /// A line of a longer value (a private key) is searched for on its own from this length on.
    private static final int SHORTEST_LINE = 16;
    /// Values searched for in one text; more than this is no environment but an attack on our time.
    private static final int MOST_VALUES = 1_000;

    private static final Pattern WORDS = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");
    private static final List<String> ANYWHERE =
            List.of("password", "passwd", "passphrase", "secret", "token", "credential", "apikey", "privatekey");
    private static final Set<String> AS_WORD = Set.of(
            "key",
            "keys",
            "pass",
            "pwd",
            "pat",
            "cred",
            "creds",
            "auth",
            "authorization",
            "cookie",
            "dsn",
            "jwt",
            "sas");
    /// The last word says that the value only points to the secret.
    private static final Set<String> POINTERS =
            Set.of("file", "path", "dir", "directory", "name", "enabled", "type", "ttl", "timeout", "length");

    /// A shell's own, whatever their last letters are.
    private static final Set<String> HARMLESS = Set.of("PWD", "OLDPWD");

    private static final Set<String> NEVER = Set.of("true", "false", "null", "none", "default");

    /// Names that were judged before, since the same ones come with every call: a bounded number, for callers choose
    /// them.
    private static final Map<String, Boolean> JUDGED = new ConcurrentHashMap<>();

    private static final int MOST_JUDGED = 1_000;
    private static final int LONGEST_JUDGED = 100;

    private final List<String> values;

    private Mask(List<String> values) {
        this.values = values;
    }

    /// Whether a variable of this name holds a secret: `DB_PASSWORD`, `apiKey`, `GITHUB_TOKEN`; not `KEYCLOAK_URL`,
    /// not `SOPS_AGE_KEY_FILE`, which names a place.
    public static boolean isSecretName(String name) {
        Boolean known = JUDGED.get(name);
        if (known != null) {
            return known;
        }
        boolean secret = judge(name);
        if (name.length() <= LONGEST_JUDGED && JUDGED.size() < MOST_JUDGED) {
            JUDGED.put(name, secret);
        }
        return secret;
    }

    private static boolean judge(String name) {
        List<String> words = WORDS.splitAsStream(name)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty() || HARMLESS.contains(name) || POINTERS.contains(words.getLast())) {
            return false;
        }
        String whole = String.join("", words);
        return words.stream().anyMatch(AS_WORD::contains) || ANYWHERE.stream().anyMatch(whole::contains);
    }

    /// The mask of an environment: values of those variables that are named like secrets.
    public static Mask ofEnvironment(Map<String, String> environment) {
        List<String> secrets = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (isSecretName(name)) {
                secrets.add(value);
            }
        });
        return of(secrets);
    }

    public static Mask of(Collection<String> secrets) {
        Set<String> all = new LinkedHashSet<>();
        for (String secret : secrets) {
            String trimmed = secret.strip();
            if (trimmed.length() >= SHORTEST && !NEVER.contains(trimmed.toLowerCase(Locale.ROOT))) {
                all.add(trimmed);
                if (trimmed.indexOf('\n') > 0) {
                    trimmed.lines()
                            .map(String::strip)
                            .filter(line -> line.length() >= SHORTEST_LINE)
                            .forEach(all::add);
                }
            }
        }
        return all.isEmpty() ? NONE : new Mask(longestFirst(all));
    }

    public Mask plus(Mask other) {
        if (other.values.isEmpty()) {
            return this;
        }
        Set<String> all = new LinkedHashSet<>(values);
        all.addAll(other.values);
        return new Mask(longestFirst(all));
    }

    /// `text` with every secret value replaced.
    public String apply(String text) {
        String masked = text;
        for (String value : values) {
            if (masked.contains(value)) {
                masked = masked.replace(value, Secret.MASK);
            }
        }
        return masked;
    }

    private static List<String> longestFirst(Set<String> all) {
        return all.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .limit(MOST_VALUES)
                .toList();
    }
}
