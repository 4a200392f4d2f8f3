package dev.remora.plugin;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A duration as Go writes it: `90s`, `1m30s`, `1.5h`, `250ms`, `-2s`, `0`.
public final class GoDuration {
    private static final int MAX_LENGTH = 64;
    private static final Pattern WHOLE =
            Pattern.compile("[-+]?(?:0|(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+)");
    private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private GoDuration() {}

    /// Empty when `text` is no duration, or longer than about 292 years.
    public static Optional<Duration> parse(String text) {
        if (text.length() > MAX_LENGTH || !WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        BigInteger sum = BigInteger.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
            sum = sum.add(new BigDecimal(part.group(1)).multiply(unit).toBigInteger());
        }
        if (sum.compareTo(MAX) > 0) {
            return Optional.empty();
        }
        long nanos = sum.longValueExact();
        return Optional.of(Duration.ofNanos(text.startsWith("-") ? -nanos : nanos));
    }
}
