package dev.remora.cli;

import dev.remora.fault.Secret;
import dev.remora.telemetry.Mask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Takes secrets out of what leaves this machine in a bug report: values of variables that are named like secrets,
/// wherever they stand; values behind keys that are named so; logins in URLs; private keys.
final class BundleMask {
    private static final Pattern LOGIN = Pattern.compile("(?<=://)[^/@\\s\"']{1,500}(?=@)");
    private static final Pattern AGE = Pattern.compile("AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,40})-1[A-Z0-9]{1,200}");
    private static final Pattern PEM = Pattern.compile(
            "-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.{0,20000}?)(?:-----END [A-Z ]{0,40}-----|\\z)");
    private static final Pattern ASSIGNMENT = Pattern.compile(
            "(?m)(?<key>[A-Za-z_][A-Za-z0-9_.-]{0,200})[\"']?(?<sign>\\s*[:=][ \\t]*)(?<value>[^\\s,}\\]][^\\n,}]*)");

    private final Mask values;

    BundleMask(Map<String, String> environment) {
        List<String> secrets = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (Mask.isSecretName(name)) {
                secrets.add(value);
            }
            LOGIN.matcher(value).results().forEach(login -> {
                String text = login.group();
                secrets.add(text.substring(text.indexOf(':') + 1));
            });
        });
        this.values = Mask.of(secrets);
    }

    String apply(String text) {
        String masked = values.apply(text);
        masked = PEM.matcher(masked).replaceAll(Secret.MASK);
        masked = AGE.matcher(masked).replaceAll(Secret.MASK);
        masked = LOGIN.matcher(masked).replaceAll(Secret.MASK);
        return ASSIGNMENT
                .matcher(masked)
                .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(
                        Mask.isSecretName(found.group("key"))
                                ? found.group().substring(0, found.start("value") - found.start()) + Secret.MASK
                                : found.group()));
    }

    /// Whether nothing is left that this would take out.
    boolean isClean(String text) {
        return apply(text).equals(text);
    }
}
