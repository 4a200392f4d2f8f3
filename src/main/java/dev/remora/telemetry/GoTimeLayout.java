package dev.remora.telemetry;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Writes a time by one of Go's layouts, which are an example time: `2006-01-02T15:04:05.000Z07:00`.
final class GoTimeLayout {
    // Longer elements first; a fraction counts only behind the seconds' dot or comma and before no further digit.
    private static final Pattern ELEMENT = Pattern.compile("January|Jan|Monday|Mon|MST|2006|Z07:00:00|Z070000|Z07:00"
            + "|Z0700|Z07|-07:00:00|-070000|-07:00|-0700|-07|002|__2|_2|01|02|03|04|05|06|15|PM|pm|1|2|3|4|5"
            + "|[.,](?:0+|9+)(?!\\d)");

    private final List<Function<ZonedDateTime, String>> parts = new ArrayList<>();

    GoTimeLayout(String layout) {
        Matcher element = ELEMENT.matcher(layout);
        int from = 0;
        while (element.find()) {
            String between = layout.substring(from, element.start());
            parts.add(time -> between);
            parts.add(part(element.group()));
            from = element.end();
        }
        String rest = layout.substring(from);
        parts.add(time -> rest);
    }

    String format(ZonedDateTime time) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.apply(time)));
        return text.toString();
    }

    private static Function<ZonedDateTime, String> part(String element) {
        return switch (element) {
            case "January" -> time -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.ROOT);
            case "Jan" -> by("MMM");
            case "Monday" -> by("EEEE");
            case "Mon" -> by("EEE");
            case "MST" -> by("zzz");
            case "2006" -> by("yyyy");
            case "06" -> by("yy");
            case "01" -> by("MM");
            case "1" -> by("M");
            case "002" -> by("DDD");
            case "__2" -> time -> String.format("%3d", time.getDayOfYear());
            case "02" -> by("dd");
            case "_2" -> time -> String.format("%2d", time.getDayOfMonth());
            case "2" -> by("d");
            case "15" -> by("HH");
            case "03" -> by("hh");
            case "3" -> by("h");
            case "04" -> by("mm");
            case "4" -> by("m");
            case "05" -> by("ss");
            case "5" -> by("s");
            case "PM" -> by("a");
            case "pm" -> time -> by("a").apply(time).toLowerCase(Locale.ROOT);
            default -> element.startsWith("Z") || element.startsWith("-") ? zone(element) : fraction(element);
        };
    }

    private static Function<ZonedDateTime, String> by(String pattern) {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
        return formatter::format;
    }

    private static Function<ZonedDateTime, String> zone(String element) {
        boolean letter = element.startsWith("Z");
        String digits = element.substring(1);
        String pattern = switch (digits) {
            case "07:00:00" -> "xxxxx";
            case "070000" -> "xxxx";
            case "07:00" -> "xxx";
            case "0700" -> "xx";
            default -> "x";
        };
        Function<ZonedDateTime, String> offset = by(pattern);
        return time -> letter && time.getOffset().equals(ZoneOffset.UTC) ? "Z" : offset.apply(time);
    }

    private static Function<ZonedDateTime, String> fraction(String element) {
        int digits = element.length() - 1;
        boolean trimmed = element.charAt(1) == '9';
        return time -> {
            String nanos = String.format("%09d", time.getNano());
            String kept = digits <= 9 ? nanos.substring(0, digits) : nanos + "0".repeat(digits - 9);
            if (trimmed) {
                kept = kept.replaceAll("0+$", "");
                return kept.isEmpty() ? "" : element.charAt(0) + kept;
            }
            return element.charAt(0) + kept;
        };
    }
}
