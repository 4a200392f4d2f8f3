package dev.remora.yaml;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What a scalar means: the YAML 1.1 types as go-yaml resolves them.
final class ScalarResolver {
    static final String PREFIX = "tag:yaml.org,2002:";
    static final String MERGE = PREFIX + "merge";
    private static final String STR = PREFIX + "str";
    private static final String BOOL = PREFIX + "bool";
    private static final String INT = PREFIX + "int";
    private static final String FLOAT = PREFIX + "float";
    private static final String NULL = PREFIX + "null";
    private static final String TIMESTAMP = PREFIX + "timestamp";
    private static final String BINARY = PREFIX + "binary";

    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> NOT_FINITE = Set.of(
            ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF");
    private static final Pattern FLOAT_TEXT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    /// What begins with a point is read with Go's rule for `_`: single ones between digits.
    private static final Pattern POINT_TEXT = Pattern.compile("\\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?");
    private static final Pattern TIMESTAMP_TEXT = Pattern.compile(
            "(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:(?:[Tt](\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:[.,]\\d+)?(?:Z|[-+]\\d\\d:\\d\\d))"
                    + "|(?: (\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:[.,]\\d+)?))?");
    private static final BigInteger MIN_INT = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_UINT = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    /// Digits of an integer beyond which it cannot fit: 64 binary ones and leading zeros to spare.
    private static final int MAX_INTEGER_DIGITS = 1000;

    private ScalarResolver() {}

    /// The value of a scalar. `tag` is empty when none is given; `plain` says that the text alone decides then.
    static YamlNode resolve(String tag, String text, boolean plain, int line, int column) {
        if (tag.isEmpty() && !plain) {
            return new YamlNode.Text(text, line, column);
        }
        return switch (tag) {
            case "" -> untagged(text, line, column);
            case STR -> new YamlNode.Text(text, line, column);
            case BINARY -> binary(text, line, column);
            case BOOL, INT, NULL, FLOAT, TIMESTAMP -> tagged(tag, text, line, column);
            default -> new YamlNode.Text(text, line, column);
        };
    }

    private static YamlNode untagged(String text, int line, int column) {
        if (!mayMeanMore(text)) {
            return new YamlNode.Text(text, line, column);
        }
        if (TRUE.contains(text)) {
            return new YamlNode.Bool(true, text, line, column);
        }
        if (FALSE.contains(text)) {
            return new YamlNode.Bool(false, text, line, column);
        }
        if (NULLS.contains(text)) {
            return new YamlNode.Null(line, column);
        }
        if (NOT_FINITE.contains(text)) {
            return new YamlNode.Number(goNotFinite(text), text, false, line, column);
        }
        return number(text, line, column).<YamlNode>map(n -> n).orElseGet(() -> new YamlNode.Text(text, line, column));
    }

    /// By the first character, as most texts are nothing but text.
    private static boolean mayMeanMore(String text) {
        return text.isEmpty() || "+-.0123456789yYnNtTfFoO~".indexOf(text.charAt(0)) >= 0;
    }

    private static Optional<YamlNode.Number> number(String text, int line, int column) {
        char first = text.charAt(0);
        if (first == '.') {
            return POINT_TEXT.matcher(text).matches()
                    ? decimal(text.replace("_", "")).map(json -> new YamlNode.Number(json, text, false, line, column))
                    : Optional.empty();
        }
        if (first != '+' && first != '-' && (first < '0' || first > '9')) {
            return Optional.empty();
        }
        String digits = text.replace("_", "");
        Optional<String> integer = integer(digits);
        if (integer.isPresent()) {
            return Optional.of(new YamlNode.Number(integer.get(), text, true, line, column));
        }
        return decimal(digits)
                .map(json -> new YamlNode.Number(json, text, false, line, column))
                .or(() -> looseBinary(digits).map(json -> new YamlNode.Number(json, text, true, line, column)));
    }

    /// Go's `ParseInt` and then `ParseUint` with base 0.
    private static Optional<String> integer(String text) {
        boolean negative = text.startsWith("-");
        boolean signed = negative || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        int radix = 10;
        if (digits.length() > 1 && digits.charAt(0) == '0') {
            radix = switch (digits.charAt(1)) {
                case 'x', 'X' -> 16;
                case 'b', 'B' -> 2;
                case 'o', 'O' -> 8;
                default -> -8;
            };
            digits = digits.substring(radix > 0 ? 2 : 1);
        }
        return parsed(digits, Math.abs(radix), negative, signed);
    }

    /// go-yaml's second try at `0b`, which lets a sign stand behind it.
    private static Optional<String> looseBinary(String text) {
        if (text.startsWith("0b")) {
            String rest = text.substring(2);
            boolean negative = rest.startsWith("-");
            boolean signed = negative || rest.startsWith("+");
            return parsed(signed ? rest.substring(1) : rest, 2, negative, signed);
        }
        return text.startsWith("-0b") ? parsed(text.substring(3), 2, true, true) : Optional.empty();
    }

    private static Optional<String> parsed(String digits, int radix, boolean negative, boolean signed) {
        if (digits.isEmpty() || digits.length() > MAX_INTEGER_DIGITS) {
            return Optional.empty();
        }
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c > 'z' || Character.digit(c, radix) < 0) {
                return Optional.empty();
            }
        }
        BigInteger value = new BigInteger(digits, radix);
        BigInteger max = signed ? BigInteger.valueOf(Long.MAX_VALUE) : MAX_UINT;
        BigInteger number = negative ? value.negate() : value;
        return number.compareTo(MIN_INT) < 0 || number.compareTo(max) > 0
                ? Optional.empty()
                : Optional.of(number.toString());
    }

    private static Optional<String> decimal(String text) {
        if (!FLOAT_TEXT.matcher(text).matches()) {
            return Optional.empty();
        }
        double value = Double.parseDouble(text);
        return Double.isInfinite(value) ? Optional.empty() : Optional.of(GoNumbers.json(value));
    }

    private static String goNotFinite(String text) {
        if (text.regionMatches(true, text.length() - 3, "nan", 0, 3)) {
            return "NaN";
        }
        return text.startsWith("-") ? "-Inf" : "+Inf";
    }

    /// A scalar with one of the core tags must resolve to it.
    private static YamlNode tagged(String tag, String text, int line, int column) {
        if (tag.equals(TIMESTAMP) && isTimestamp(text)) {
            return new YamlNode.Text(text, line, column);
        }
        YamlNode node = untagged(text, line, column);
        String found = switch (node) {
            case YamlNode.Bool _ -> BOOL;
            case YamlNode.Null _ -> NULL;
            case YamlNode.Number n -> n.integer() ? INT : FLOAT;
            case YamlNode.Text _, YamlNode.Mapping _, YamlNode.Sequence _ -> STR;
        };
        if (found.equals(tag)) {
            return node;
        }
        if (tag.equals(FLOAT)
                && node instanceof YamlNode.Number n
                && new BigInteger(n.json()).bitLength() <= Long.SIZE - 1) {
            return new YamlNode.Number(
                    GoNumbers.json(new BigInteger(n.json()).doubleValue()), text, false, line, column);
        }
        throw new YamlFailure("cannot decode " + shortTag(found) + " as a " + shortTag(tag), line, column);
    }

    private static String shortTag(String tag) {
        return "!!" + tag.substring(PREFIX.length());
    }

    private static boolean isTimestamp(String text) {
        var matcher = TIMESTAMP_TEXT.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        int year = Integer.parseInt(matcher.group(1));
        int month = Integer.parseInt(matcher.group(2));
        int day = Integer.parseInt(matcher.group(3));
        if (month < 1
                || month > 12
                || day < 1
                || day > java.time.YearMonth.of(year, month).lengthOfMonth()) {
            return false;
        }
        int hours = matcher.group(4) != null ? 4 : 7;
        return matcher.group(hours) == null
                || (Integer.parseInt(matcher.group(hours)) < 24
                        && Integer.parseInt(matcher.group(hours + 1)) < 60
                        && Integer.parseInt(matcher.group(hours + 2)) < 60);
    }

    private static YamlNode binary(String text, int line, int column) {
        try {
            byte[] data = Base64.getDecoder().decode(strict(text));
            return new YamlNode.Text(GoText.decode(data), line, column);
        } catch (IllegalArgumentException e) {
            throw new YamlFailure("!!binary value contains invalid base64 data", line, column);
        }
    }

    /// Go passes over line breaks, and wants the padding that Java lets be absent.
    private static byte[] strict(String text) {
        String dense = text.replace("\n", "").replace("\r", "");
        if (dense.length() % 4 != 0) {
            throw new IllegalArgumentException("padding");
        }
        return dense.getBytes(StandardCharsets.ISO_8859_1);
    }
}
