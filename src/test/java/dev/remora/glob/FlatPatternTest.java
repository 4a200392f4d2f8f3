package dev.remora.glob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlatPatternTest {
    private static final Path TABLE = Path.of("src/test/resources/glob/flat.tsv");

    /// Those that the table's second column chooses from.
    private static final List<String> TEXTS = List.of(
            "a",
            "b",
            "a.yaml",
            "b.yaml",
            "sub/a.yaml",
            "sub/b.yaml",
            "sub/deep/a.yaml",
            "ab",
            "a/b",
            "ä.yaml",
            "*",
            "a-b",
            "abc.yaml",
            "",
            "}",
            "{a",
            "a,b",
            "aa.yaml",
            "sub/",
            "c",
            "^",
            "-",
            "a*",
            "\\",
            "a\\");

    @TestFactory
    Stream<DynamicTest> matchesWhatGobwasMatches() throws IOException {
        List<String> rows = Files.readAllLines(TABLE).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(rows).hasSize(1200);
        int each = 100;
        return Stream.iterate(0, from -> from < rows.size(), from -> from + each)
                .map(from -> DynamicTest.dynamicTest(
                        "rows from " + from,
                        () -> rows.subList(from, from + each).forEach(FlatPatternTest::check)));
    }

    private static void check(String row) {
        String pattern = row.substring(0, row.indexOf('\t'));
        String matched = FlatPattern.parse(pattern)
                .map(parsed -> TEXTS.stream().filter(parsed::matches).collect(Collectors.joining("|")))
                .orElse("bad");
        assertThat(matched).as(pattern).isEqualTo(row.substring(row.indexOf('\t') + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[]", "[a", "[z-a]", "[a-bc]", "[!]", "a\uFFFDb", "[a\0]"})
    void refusesWhatIsMalformed(String pattern) {
        assertThat(FlatPattern.parse(pattern)).isEmpty();
    }

    @Test
    void takesTheSharedLetterOfBothEndsOfAStar() {
        assertThat(FlatPattern.parse("a*a.yaml").orElseThrow().matches("a.yaml"))
                .isTrue();
    }

    @Test
    void countsCharactersWhereGobwasCountsBytes() {
        assertThat(FlatPattern.parse("?.yaml").orElseThrow().matches("ä.yaml")).isTrue();
    }

    @Test
    void aHostilePatternCostsNoMoreThanItsLengthTimesTheTexts() {
        String pattern = "{*a,*b}".repeat(500);
        FlatPattern parsed = FlatPattern.parse(pattern).orElseThrow();

        boolean matched = Assertions.assertTimeout(Duration.ofSeconds(60), () -> parsed.matches("a".repeat(250) + "c"));

        assertThat(matched).isFalse();
    }

    @Test
    void refusesAPatternThatNobodyWrites() {
        assertThat(FlatPattern.parse("{".repeat(5000))).isEmpty();
    }

    @Test
    void refusesBracesThatNestTooDeep() {
        assertThat(FlatPattern.parse("{".repeat(100) + "a").orElseThrow().matches("a"))
                .isTrue();
        assertThat(FlatPattern.parse("{".repeat(101) + "a")).isEmpty();
    }
}
