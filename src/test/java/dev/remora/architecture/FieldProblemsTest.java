package dev.remora.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/reference/field-problems.md` is kept by hand; each test that it names exists.
class FieldProblemsTest {
    private static final Path PAGE = Path.of("docs/reference/field-problems.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

    @Test
    void everyTestThatThePageNamesExists() throws IOException {
        Map<String, Path> files = testFiles();
        List<String> missing = new ArrayList<>();
        int named = 0;
        Matcher test = TEST.matcher(Files.readString(PAGE));
        while (test.find()) {
            named++;
            Path file = files.get(test.group(1));
            if (file == null || !Files.readString(file).contains("void " + test.group(2) + "(")) {
                missing.add(test.group());
            }
        }
        assertThat(named).isGreaterThan(50);
        assertThat(missing).isEmpty();
    }

    private static boolean isTestClass(String name) {
        return name.endsWith("Test.java") || name.endsWith("Contract.java");
    }

    private static Map<String, Path> testFiles() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src/test/java"))) {
            return all.filter(file -> isTestClass(file.getFileName().toString()))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""), Function.identity()));
        }
    }
}
