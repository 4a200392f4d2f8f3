package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.manifest.RenderedObject.ObjectName;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {
    private static ObjectName object(String apiVersion, String kind, String namespace, String name) {
        return new ObjectName(apiVersion, kind, namespace, name, false);
    }

    private static List<String> names(ObjectName... objects) {
        return FileNames.ofObjects(List.of(objects));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            web,               web
            system:admin,      system%3Aadmin
            a/b,               a%2Fb
            a\\b,              a%5Cb
            ..,                %2E%2E
            .hidden,           %2Ehidden
            ends.,             ends%2E
            con,               %63on
            nul.x,             %6Eul.x
            LPT1,              %4CPT1
            console,           console
            grün,              gr%C3%BCn
            '',                _
            a b,               a%20b
            a%3Ab,             a%253Ab
            index.json,        index.json~2
            """)
    void writesNamesThatEverySystemTakes(String application, String name) {
        assertThat(FileNames.ofApplications(List.of(application), Set.of("index.json")))
                .containsExactly(name);
    }

    @Test
    void isNeverLongerThanFileSystemsTake() {
        String name = names(object("v1", "ConfigMap", "", "x".repeat(400))).getFirst();

        assertThat(name).hasSizeLessThan(240).startsWith("ConfigMap-xxx");
        assertThat(names(object("v1", "ConfigMap", "", "x".repeat(401)))).doesNotContain(name);
    }

    @Test
    void tellsNamespacesApart() {
        assertThat(names(
                        object("v1", "Role", "a", "r"), object("v1", "Role", "b", "r"), object("v1", "Role", "b", "s")))
                .containsExactly("Role-r~a", "Role-r~b", "Role-s");
    }

    @Test
    void tellsGroupsApartByADigest() {
        List<String> names = names(object("v1", "Service", "", "s"), object("x.org/v1", "Service", "", "s"));

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("Service-s~[0-9a-f]{8}"));
    }

    @Test
    void tellsCasesApart() {
        List<String> names = names(object("v1", "Foo", "", "a"), object("v1", "foo", "", "a"));

        assertThat(names.stream().map(name -> name.toLowerCase(Locale.ROOT))).doesNotHaveDuplicates();
    }

    @Test
    void givesNamesThatDoNotDependOnTheOrder() {
        ObjectName one = object("v1", "Service", "", "s");
        ObjectName other = object("x.org/v1", "Service", "", "s");

        assertThat(names(one, other)).isEqualTo(names(other, one).reversed());
    }

    @Test
    void numbersRealDuplicates() {
        ObjectName one = object("v1", "Service", "n", "s");

        assertThat(names(one, one)).doesNotHaveDuplicates().last().asString().endsWith("~2");
    }
}
