package dev.remora.plugin;

import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A number with a Kubernetes suffix: `64Mi`, `1.5Gi`, `1M`, `500`.
public final class Quantity {
    private static final int MAX_LENGTH = 32;
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(Ki|Mi|Gi|Ti|k|M|G|T)?");
    private static final Map<String, Long> FACTORS = Map.of(
            "Ki",
            1L << 10,
            "Mi",
            1L << 20,
            "Gi",
            1L << 30,
            "Ti",
            1L << 40,
            "k",
            1_000L,
            "M",
            1_000_000L,
            "G",
            1_000_000_000L,
            "T",
            1_000_000_000_000L);

    private Quantity() {}

    /// Empty when `text` is none, is no whole number, or is beyond 2^63.
    public static OptionalLong parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > MAX_LENGTH || !form.matches()) {
            return OptionalLong.empty();
        }
        String suffix = form.group(2);
        long factor = suffix == null ? 1 : FACTORS.getOrDefault(suffix, 1L);
        try {
            return OptionalLong.of(new BigDecimal(form.group(1))
                    .multiply(BigDecimal.valueOf(factor))
                    .longValueExact());
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
