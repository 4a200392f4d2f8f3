package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VersionRangeTest {
    @Test
    void holdsWhatArgoCdsLibraryHolds() throws IOException {
        // Given a table that the library itself answered
        List<String> lines = Files.readAllLines(Path.of("src/test/resources/git/ranges.tsv"));
        String[] head = lines.get(1).split("\t", -1);
        List<SemanticVersion> versions =
                Arrays.stream(head).skip(1).map(VersionRangeTest::version).toList();

        List<String> wrong = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            int tab = line.indexOf('\t');
            String answer = answer(line.substring(0, tab), versions);
            if (!answer.equals(line.substring(tab + 1))) {
                wrong.add(line + " but " + answer);
            }
        }

        assertThat(lines).hasSizeGreaterThan(700);
        assertThat(wrong).isEmpty();
    }

    private static String answer(String range, List<SemanticVersion> versions) {
        Optional<VersionRange> parsed = VersionRange.parse(range);
        return parsed.map(found -> versions.stream()
                        .map(version -> found.contains(version) ? "1" : "0")
                        .collect(Collectors.joining()))
                .orElse("!");
    }

    private static SemanticVersion version(String text) {
        return switch (SemanticVersion.parse(text)) {
            case SemanticVersion.Parsed.Version(SemanticVersion version) -> version;
            case SemanticVersion.Parsed.Malformed _, SemanticVersion.Parsed.NoVersion _ ->
                throw new IllegalArgumentException(text);
        };
    }

    @Test
    void tellsVersionsFromWhatLooksLikeThem() {
        assertThat(SemanticVersion.parse("v1")).isInstanceOf(SemanticVersion.Parsed.Version.class);
        assertThat(SemanticVersion.parse("01.2")).isInstanceOf(SemanticVersion.Parsed.Version.class);
        assertThat(SemanticVersion.parse("1.0.0-01")).isInstanceOf(SemanticVersion.Parsed.Malformed.class);
        assertThat(SemanticVersion.parse("99999999999999999999")).isInstanceOf(SemanticVersion.Parsed.Malformed.class);
        assertThat(SemanticVersion.parse("release-1")).isInstanceOf(SemanticVersion.Parsed.NoVersion.class);
        assertThat(SemanticVersion.parse("1.2.3.4")).isInstanceOf(SemanticVersion.Parsed.NoVersion.class);
    }

    @Test
    void takesALongTextForNoRange() {
        assertThat(VersionRange.parse("1 ".repeat(100_000))).isEmpty();
    }
}
