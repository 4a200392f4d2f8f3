package dev.remora.cli;

import dev.remora.cli.SettingValues.Given;
import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import dev.remora.plugin.GoDuration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// How a setting's text is checked and read, by its kind.
final class SettingText {
    /// No number that a command takes is larger; and it fits an `int`.
    private static final long LARGEST_NUMBER = Integer.MAX_VALUE;

    private static final Set<String> TRUE = Set.of("true", "t", "1", "yes", "on");
    private static final Set<String> FALSE = Set.of("false", "f", "0", "no", "off");

    private SettingText() {}

    static boolean isTrue(String text) {
        return TRUE.contains(text.toLowerCase(Locale.ROOT));
    }

    /// How often a counting flag was meant: `true` once, a number that often.
    static long times(String text) {
        return isTrue(text) ? 1 : wholeNumber(text).orElse(0L);
    }

    /// A variable's text as values: a list has one a line.
    static List<String> split(Setting setting, String text) {
        if (setting.kind() != SettingKind.LIST) {
            return List.of(text);
        }
        return text.lines().filter(line -> !line.isBlank()).toList();
    }

    /// What is wrong with the values, said with where they come from.
    static Optional<Problem> problem(Setting setting, Given given) {
        return given.values().stream()
                .flatMap(value -> wrong(setting, value).stream()
                        .map(why -> Problem.of(given.origin() + ": \"" + value + "\" " + why)))
                .findFirst();
    }

    private static Optional<String> wrong(Setting setting, String value) {
        return switch (setting.kind()) {
            case TEXT, LIST, OPTIONAL_TEXT -> Optional.empty();
            case SWITCH ->
                isTrue(value) || FALSE.contains(value.toLowerCase(Locale.ROOT))
                        ? Optional.empty()
                        : Optional.of("is neither true nor false");
            case COUNT ->
                isTrue(value) || wholeNumber(value).isPresent() ? Optional.empty() : Optional.of("is no number");
            case NUMBER ->
                wholeNumber(value).isPresent()
                        ? Optional.empty()
                        : Optional.of("is no whole number from 0 to " + LARGEST_NUMBER);
            case RATIO -> isRatio(value) ? Optional.empty() : Optional.of("is no number from 0 to 1");
            case DURATION ->
                GoDuration.parse(value).filter(time -> !time.isNegative()).isPresent()
                        ? Optional.empty()
                        : Optional.of("is no duration; write it as 90s or 1m30s");
            case CHOICE ->
                setting.choices().contains(value.toLowerCase(Locale.ROOT))
                        ? Optional.empty()
                        : Optional.of("is not one of " + String.join(", ", setting.choices())
                                + Proposal.question(value, setting.choices()));
        };
    }

    private static Optional<Long> wholeNumber(String text) {
        if (text.isEmpty() || text.length() > 10 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        return Optional.of(Long.parseLong(text)).filter(number -> number <= LARGEST_NUMBER);
    }

    private static boolean isRatio(String text) {
        try {
            double ratio = Double.parseDouble(text);
            return ratio >= 0 && ratio <= 1;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
