package dev.remora.glob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoubleStarPatternTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /lib/**           | lib            | true
                    /lib/**           | lib/a/b        | true
                    /lib/**           | other/lib/a    | false
                    lib/**            | lib/a          | true
                    /lib              | lib            | true
                    /lib              | lib/a/b        | true
                    /lib/             | lib/a/b        | true
                    /lib              | library        | false
                    /*                | a              | true
                    /*                | a/b            | false
                    /*/               | a/b            | true
                    /*.yaml           | a.yaml         | true
                    /*.yaml           | a/b.yaml       | false
                    **/*.yaml         | a.yaml         | true
                    **/*.yaml         | a/b/c.yaml     | true
                    **/*.yaml         | a/b.yaml/c     | false
                    a/**/z            | a/z            | true
                    a/**/z            | a/b/c/z        | true
                    a/**/z            | a/b/c          | false
                    **/test/**/*.cue  | x/test/y/a.cue | true
                    a**b/c            | axxb/c         | true
                    a**b/c            | ax/xb/c        | false
                    /{lib,inv/**}/x   | lib/x          | true
                    /{lib,inv/**}/x   | inv/a/b/x      | true
                    /{lib,inv/**}/x   | y/x            | false
                    /v[0-9]/?         | v3/q           | true
                    /v[!0]/?          | v!/q           | true
                    \\*.yaml          | *.yaml         | true
                    \\*.yaml          | a.yaml         | false
                    .hidden/**        | .hidden/x      | true
                    *                 | .hidden        | true
                    /                 | a/b            | true
                    """)
    void matches(String pattern, String path, boolean expected) {
        assertThat(DoubleStarPattern.matches(pattern, path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a[", "a{b", "a}b", "{a,{b}", "[]a"})
    void refusesWhatHasNoEnd(String pattern) {
        assertThat(DoubleStarPattern.parse(List.of(), Bytes.utf8(pattern))).isEmpty();
    }

    @Test
    void boundsPartsAndAlternatives() {
        assertThat(DoubleStarPattern.parse(List.of(), Bytes.utf8("a/".repeat(70))))
                .isEmpty();
        assertThat(DoubleStarPattern.parse(List.of(), Bytes.utf8("{a,b}".repeat(9))))
                .isEmpty();
        assertThat(DoubleStarPattern.parse(List.of(), Bytes.utf8("{a,b}".repeat(8)))
                        .orElseThrow())
                .hasSize(256);
    }

    @Test
    void takesTheNamesInFrontAsTheyAre() {
        List<Bytes> base = List.of(Bytes.utf8("a*"), Bytes.utf8("[x]"));
        List<DoubleStarPattern> patterns =
                DoubleStarPattern.parse(base, Bytes.utf8("/**")).orElseThrow();

        assertThat(patterns).singleElement().satisfies(pattern -> {
            assertThat(pattern.matches(LexicalPath.parts(Bytes.utf8("a*/[x]/y"))))
                    .isTrue();
            assertThat(pattern.matches(LexicalPath.parts(Bytes.utf8("ab/x/y")))).isFalse();
            assertThat(pattern.way()).isEqualTo(base);
        });
    }

    @Test
    void aQuotedNameMatchesItselfAlone() {
        String name = "a*b?[c]{d,e}\\";
        assertThat(DoubleStarPattern.matches(DoubleStarPattern.quoted(name), name))
                .isTrue();
        assertThat(DoubleStarPattern.matches(DoubleStarPattern.quoted("a*"), "ab"))
                .isFalse();
    }

    @Test
    void agreesWithARegularExpressionOnRandomPatterns() {
        Random random = new Random(17);
        List<String> parts = List.of("**", "*", "a", "b", "a*", "?");
        List<String> names = List.of("a", "b", "ab", "ba");
        for (int i = 0; i < 5_000; i++) {
            List<String> pattern = random(random, parts, 4);
            List<String> path = random(random, names, 5);
            boolean expected = byRegex(pattern, path);
            assertThat(DoubleStarPattern.matches(String.join("/", pattern), String.join("/", path)))
                    .as("%s on %s", pattern, path)
                    .isEqualTo(expected);
        }
    }

    private static List<String> random(Random random, List<String> from, int most) {
        return IntStream.rangeClosed(0, random.nextInt(most))
                .mapToObj(each -> from.get(random.nextInt(from.size())))
                .toList();
    }

    /// Each name with a slash behind it; a literal last part takes what is below it too.
    private static boolean byRegex(List<String> pattern, List<String> path) {
        StringBuilder regex = new StringBuilder();
        for (String part : pattern) {
            regex.append(
                    part.equals("**")
                            ? "(?:[^/]+/)*"
                            : part.equals("*")
                                    ? "[^/]+/"
                                    : part.replace("*", "[^/]*").replace("?", "[^/]") + "/");
        }
        String last = pattern.getLast();
        if (!last.contains("*") && !last.contains("?")) {
            regex.append("(?:[^/]+/)*");
        }
        return (String.join("/", path) + "/").matches(regex.toString());
    }
}
