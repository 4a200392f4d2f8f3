package dev.remora.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.fault.Fault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationDocumentsTest {
    private static final String GOOD = """
            apiVersion: argoproj.io/v1alpha1
            kind: Application
            metadata: {name: %s}
            spec: {source: {repoURL: https://git.example.com/a, path: .}}
            """;

    @Test
    void readsEveryDocumentAndOpensLists() {
        String list = """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: c}, spec: {source: {repoURL: /r}}}
                - {apiVersion: argoproj.io/v1alpha1, kind: ApplicationList, items: [{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: d}, spec: {source: {repoURL: /r}}}]}
                """;
        ApplicationDocuments read =
                read(GOOD.formatted("a") + "---\n# nothing\n---\n" + GOOD.formatted("b") + "---\n" + list);
        assertThat(read.found()).extracting(Found::name).containsExactly("a", "b", "c", "d");
        assertThat(read.found()).extracting(found -> found.where().line()).containsExactly(1, 8, 16, 17);
    }

    @Test
    void countsApplicationSetsAndWhatElseThereIs() {
        ApplicationDocuments read = read("{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet}\n---\n"
                + "{apiVersion: v1, kind: ConfigMap}\n---\n" + GOOD.formatted("a"));
        assertThat(read.sets())
                .singleElement()
                .satisfies(where -> assertThat(where.line()).isEqualTo(1));
        assertThat(read.others()).isEqualTo(1);
        assertThat(read.found()).hasSize(1);
    }

    @Test
    void keepsTheGoodOnesBesideABrokenOne() {
        String broken = "{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: x}, spec: {sorce: {}}}";
        List<Found> found = read(GOOD.formatted("a") + "---\n" + broken + "\n---\n" + GOOD.formatted("b"))
                .found();
        assertThat(found).hasSize(3);
        assertThat(found.get(1)).isInstanceOfSatisfying(Found.Broken.class, one -> {
            assertThat(one.name()).isEqualTo("x");
            assertThat(one.fault().problems()).hasSize(2);
            assertThat(one.fault()).hasMessageContaining("did you mean source?").hasMessageContaining("apps.yaml:6");
        });
    }

    @Test
    void refusesTextThatIsNoYaml() {
        assertThatThrownBy(() -> read(GOOD.formatted("a") + "---\n{{ .Values }}: [\n"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("apps.yaml:");
    }

    /// Each level names the one below nine times: a billion texts.
    @Test
    void refusesABombOfAliases() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [".formatted(i, i))
                    .append(("*a" + (i - 1) + ",").repeat(8))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        assertThatThrownBy(() -> read(bomb + GOOD.formatted("a")))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("excessive aliasing");
    }

    @Test
    void readsDocumentsThatEndWithDots() {
        assertThat(read(GOOD.formatted("a") + "...\n" + GOOD.formatted("b") + "...\n---\n" + GOOD.formatted("c"))
                        .found())
                .extracting(found -> found.name() + found.where().line())
                .containsExactly("a1", "b6", "c12");
    }

    @Test
    void refusesASecondObjectThatWouldBeLost() {
        assertThatThrownBy(() -> read("{kind: A}\n{kind: B}\n"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("apps.yaml:2");
    }

    @Test
    void refusesMoreDocumentsThanAPersonWrites() {
        assertThatThrownBy(() -> read("a: 1\n---\n".repeat(100_001)))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("more than 100000 documents");
    }

    private static ApplicationDocuments read(String text) {
        return ApplicationDocuments.read("apps.yaml", text.getBytes(StandardCharsets.UTF_8));
    }
}
