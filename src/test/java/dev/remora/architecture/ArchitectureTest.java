package dev.remora.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// ARCHITECTURE.md is true: its package table is what the code does, and the types that it names exist.
class ArchitectureTest {
    private static final String ROOT = "dev.remora.";
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|.*\\| ([^|]+) \\|$");
    private static final Pattern TYPE_NAME = Pattern.compile("`([A-Z][a-z]\\w+)`");

    private static JavaClasses classes;
    private static Map<String, Set<String>> allowed;
    private static String document;

    @BeforeAll
    static void read() throws IOException {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.remora");
        document = Files.readString(Path.of("ARCHITECTURE.md"));
        allowed = new TreeMap<>();
        for (String line : document.lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                allowed.put(
                        row.group(1), new TreeSet<>(Arrays.asList(row.group(2).split("[, –]+"))));
            }
        }
    }

    @Test
    void everyPackageHasARowAndEveryRowAPackage() {
        Set<String> packages =
                classes.stream().map(ArchitectureTest::packageOf).collect(Collectors.toCollection(TreeSet::new));
        assertThat(packages).isEqualTo(allowed.keySet());
    }

    @Test
    void packagesUseOnlyWhatTheirRowAllows() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : classes) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().startsWith(ROOT) && !mayUse(packageOf(type), packageOf(target))) {
                    wrong.add(packageOf(type) + " uses " + packageOf(target) + ": " + dependency.getDescription());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("dev.remora.(*)..").should().beFreeOfCycles().check(classes);
    }

    @Test
    void everyTypeThatTheDocumentNamesExists() {
        Set<String> types = classes.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
        Matcher named = TYPE_NAME.matcher(document);
        Set<String> missing = new TreeSet<>();
        while (named.find()) {
            if (!types.contains(named.group(1)) && !Files.exists(Path.of(testFile(named.group(1))))) {
                missing.add(named.group(1));
            }
        }
        assertThat(missing).isEmpty();
    }

    private static String testFile(String type) {
        return "src/test/java/dev/remora/architecture/" + type + ".java";
    }

    private static boolean mayUse(String from, String to) {
        Set<String> row = allowed.getOrDefault(from, Set.of());
        return from.equals(to) || to.equals("fault") || row.contains(to) || row.contains("all");
    }

    private static String packageOf(JavaClass type) {
        return type.getPackageName().substring(ROOT.length());
    }
}
