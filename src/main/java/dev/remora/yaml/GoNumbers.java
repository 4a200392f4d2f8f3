package dev.remora.yaml;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Floating-point numbers as Go prints them: the shortest digits that read back as the same number.
final class GoNumbers {
    /// Up to this many digits before the point, `encoding/json` uses no exponent.
    private static final int MAX_PLAIN_EXPONENT = 21;
    private static final int MIN_PLAIN_EXPONENT = -6;
    /// The same for Go's `%g` with the shortest precision.
    private static final int MAX_G_EXPONENT = 6;
    private static final int MIN_G_EXPONENT = -4;

    /// A longer one is no number of 64 bits (JSON has no leading zeros).
    private static final int MAX_LONG_LENGTH = 20;

    private GoNumbers() {}

    /// As `encoding/json` prints a finite float64.
    static String json(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        Digits digits = digits(value);
        if (digits.exponent() >= MIN_PLAIN_EXPONENT && digits.exponent() < MAX_PLAIN_EXPONENT) {
            return digits.plain();
        }
        return digits.scientific(1);
    }

    /// A number's text after Kubernetes decoded it and `encoding/json` wrote it again. What is not finite stays a word.
    static String decoded(String text) {
        boolean integer = text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        if (integer && text.length() <= MAX_LONG_LENGTH) {
            try {
                return Long.toString(Long.parseLong(text));
            } catch (NumberFormatException _) {
                return json(Double.parseDouble(text));
            }
        }
        if (Character.isLetter(text.charAt(text.length() - 1))) {
            return text;
        }
        double value = Double.parseDouble(text);
        return Double.isInfinite(value) ? value < 0 ? "-Inf" : "+Inf" : json(value);
    }

    /// As `strconv.FormatFloat(value, 'g', -1, 32)` prints it, the form of a number that is a key.
    static String key(double value) {
        float narrow = (float) value;
        if (Float.isNaN(narrow)) {
            return ".nan";
        }
        if (Float.isInfinite(narrow)) {
            return narrow < 0 ? "-.inf" : ".inf";
        }
        if (narrow == 0) {
            return 1 / narrow < 0 ? "-0" : "0";
        }
        Digits digits = shortest(new BigDecimal(Float.toString(narrow)), d -> d.floatValue() == narrow);
        return digits.exponent() < MIN_G_EXPONENT
                        || (digits.exponent() >= Math.max(digits.text().length(), MAX_G_EXPONENT)
                                && digits.exponent() >= MAX_G_EXPONENT)
                ? digits.scientific(2)
                : digits.plain();
    }

    private static Digits digits(double value) {
        return shortest(new BigDecimal(Double.toString(value)), d -> d.doubleValue() == value);
    }

    /// Java may print two digits where one is enough.
    private static Digits shortest(BigDecimal printed, java.util.function.Predicate<BigDecimal> same) {
        BigDecimal number = printed.stripTrailingZeros();
        if (number.precision() == 2) {
            for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP}) {
                BigDecimal shorter = number.round(new java.math.MathContext(1, mode));
                if (same.test(shorter)) {
                    number = shorter.stripTrailingZeros();
                    break;
                }
            }
        }
        String text = number.unscaledValue().abs().toString();
        return new Digits(number.signum() < 0, text, text.length() - 1 - number.scale());
    }

    /// `text[0].text[1..] * 10^exponent`
    private record Digits(boolean negative, String text, int exponent) {
        String plain() {
            String body;
            if (exponent < 0) {
                body = "0." + "0".repeat(-exponent - 1) + text;
            } else if (exponent >= text.length() - 1) {
                body = text + "0".repeat(exponent - text.length() + 1);
            } else {
                body = text.substring(0, exponent + 1) + "." + text.substring(exponent + 1);
            }
            return negative ? "-" + body : body;
        }

        String scientific(int exponentDigits) {
            String power = Integer.toString(Math.abs(exponent));
            return (negative ? "-" : "")
                    + text.charAt(0)
                    + (text.length() > 1 ? "." + text.substring(1) : "")
                    + (exponent < 0 ? "e-" : "e+")
                    + "0".repeat(Math.max(0, exponentDigits - power.length()))
                    + power;
        }
    }
}
