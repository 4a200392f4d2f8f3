package dev.remora.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationReaderTest {
    private static final String HEAD =
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: payments, namespace: argocd}\n";

    @Test
    void readsWhatDecidesTheManifests() {
        Application application =
                read(HEAD.replace("namespace: argocd", "namespace: team-a, annotations: {a: b}") + """
                spec:
                  project: shop
                  destination: {server: https://kubernetes.default.svc, namespace: prod}
                  source:
                    repoURL: https://git.example.com/shop.git
                    path: apps/payments
                    targetRevision: v1.*
                    plugin:
                      name: kapitan-v1.0
                      env:
                        - {name: TARGET, value: prod}
                      parameters:
                        - {name: images, map: {web: "1"}}
                        - {name: empty, array: []}
                """);

        assertThat(application.name()).isEqualTo("payments");
        assertThat(application.instanceName("argocd")).isEqualTo("team-a_payments");
        assertThat(application.instanceName("team-a")).isEqualTo("payments");
        assertThat(application.project()).isEqualTo("shop");
        assertThat(application.destination().namespace()).isEqualTo("prod");
        assertThat(application.annotations()).containsEntry("a", "b");
        assertThat(application.several()).isFalse();
        ApplicationSource source = application.sources().getFirst();
        assertThat(source.path()).isEqualTo("apps/payments");
        assertThat(source.targetRevision()).isEqualTo("v1.*");
        assertThat(source.explicitTypes()).containsExactly("Plugin");
        ApplicationSource.Plugin plugin = source.plugin().orElseThrow();
        assertThat(plugin.name()).isEqualTo("kapitan-v1.0");
        assertThat(plugin.block().env()).containsExactly(Map.entry("TARGET", "prod"));
        assertThat(plugin.block().parameters())
                .extracting(PluginParameter::name)
                .containsExactly("images", "empty");
        assertThat(plugin.block().parameters().get(1).array()).contains(List.of());
        assertThat(plugin.block().parameters().get(1).string()).isEmpty();
    }

    @Test
    void sourcesGoBeforeSource() {
        Application application = read(HEAD + """
                spec:
                  source: {repoURL: one}
                  sources:
                    - {repoURL: two, ref: values}
                    - {repoURL: three, path: app}
                """);

        assertThat(application.several()).isTrue();
        assertThat(application.sources()).extracting(ApplicationSource::repoUrl).containsExactly("two", "three");
        assertThat(application.sources().get(0).isReferenceOnly()).isTrue();
        assertThat(application.project()).isEqualTo("default");
    }

    @Test
    void anEmptyPluginBlockAsksForAPlugin() {
        assertThat(read(HEAD + "spec: {source: {repoURL: x, plugin: {}}}\n")
                        .sources()
                        .getFirst()
                        .explicitTypes())
                .containsExactly("Plugin");
        assertThat(read(HEAD + "spec: {source: {repoURL: x, plugin: null}}\n")
                        .sources()
                        .getFirst()
                        .explicitTypes())
                .isEmpty();
    }

    @Test
    void tellsEveryFaultWithItsPlace() {
        Fault fault = refusal("""
                apiVersion: argoproj.io/v1beta1
                kind: Application
                metadata: {name: Payments}
                spec:
                  projct: shop
                  sources:
                    - {path: a, ref: v}
                    - {repoURL: 3, ref: v}
                    - {repoURL: x, plugin: {env: [{name: A, value: 1}]}, helm: {}}
                """);

        assertThat(fault.code()).isEqualTo(FaultCode.APPLICATION_INVALID);
        assertThat(fault.problems().stream().map(Problem::toString))
                .containsExactlyInAnyOrder(
                        "app.yaml:1:13: apiVersion is \"argoproj.io/v1beta1\"; write argoproj.io/v1alpha1",
                        "app.yaml:3:18: metadata.name is no name that Kubernetes takes; write lower-case letters, digits,"
                                + " - and ., at most 253",
                        "app.yaml:5:3: spec.projct is unknown, did you mean project? The keys are source, sources,"
                                + " destination, project, syncPolicy, ignoreDifferences, info, revisionHistoryLimit,"
                                + " sourceHydrator",
                        "app.yaml:7:7: spec.sources[0].repoURL is missing; write the repository's address",
                        "app.yaml:8:17: spec.sources[1].repoURL: cannot unmarshal number into a value of type string;"
                                + " put it in quotes",
                        "app.yaml:8:17: spec.sources[1].repoURL is missing; write the repository's address",
                        "app.yaml:8:25: spec.sources[1].ref is \"v\" again; give each source its own ref",
                        "app.yaml:9:52: spec.sources[2].plugin.env[0].value: cannot unmarshal number into a value of type"
                                + " string; put it in quotes",
                        "app.yaml:9:7: spec.sources[2]: multiple application sources defined: Helm,Plugin; keep one of"
                                + " them");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | spec.source is missing",
                "{source: x} | spec.source: cannot unmarshal string into a value of type object",
                "{sourceHydrator: {drySource: {}}} | spec.sourceHydrator is not rendered",
                "{sources: []} | spec.source is missing",
                "{source: {repoURL: x}, destination: [a]} | spec.destination: cannot unmarshal array",
            })
    void refusesASpecWithoutUsableSource(String spec, String problem) {
        assertThat(refusal(HEAD + "spec: " + spec + "\n")).hasMessageContaining(problem);
    }

    @Test
    void refusesTenThousandSources() {
        String sources = "    - {repoURL: x}\n".repeat(10_000);

        assertThat(refusal(HEAD + "spec:\n  sources:\n" + sources))
                .hasMessage("app.yaml:6:5: spec.sources has 10000 sources; write at most 1000");
    }

    static Application read(String text) {
        return ApplicationReader.read(
                "app.yaml",
                new YamlReader("app.yaml", FaultCode.APPLICATION_INVALID).read(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Fault refusal(String text) {
        return catchThrowableOfType(Fault.class, () -> read(text));
    }
}
