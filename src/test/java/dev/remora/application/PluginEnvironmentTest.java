package dev.remora.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.fault.Fault;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluginEnvironmentTest {
    private static final BuildEnvironment BUILD = new BuildEnvironment(
            "guestbook",
            "default",
            "payments",
            "my-revision",
            "https://git.example.com/r",
            "app",
            "main",
            "v1.30.2+k3s1",
            List.of("v1", "apps/v1"));

    @Test
    void sendsTheBuildEnvironmentInArgoCdsOrder() {
        assertThat(lines(new PluginEnvironment(BUILD, Optional.empty())))
                .containsExactly(
                        "ARGOCD_APP_NAME=guestbook",
                        "ARGOCD_APP_NAMESPACE=default",
                        "ARGOCD_APP_PROJECT_NAME=payments",
                        "ARGOCD_APP_REVISION=my-revision",
                        "ARGOCD_APP_REVISION_SHORT=my-revi",
                        "ARGOCD_APP_REVISION_SHORT_8=my-revis",
                        "ARGOCD_APP_SOURCE_REPO_URL=https://git.example.com/r",
                        "ARGOCD_APP_SOURCE_PATH=app",
                        "ARGOCD_APP_SOURCE_TARGET_REVISION=main",
                        "KUBE_VERSION=1.30.2",
                        "KUBE_API_VERSIONS=apps/v1,v1");
    }

    @Test
    void keepsAnEmptyValueAndSplitsNothing() {
        assertThat(withEnv(Map.entry("FOO", "a=b"), Map.entry("EMPTY", "")))
                .contains("ARGOCD_ENV_FOO=a=b", "ARGOCD_ENV_EMPTY=", "ARGOCD_APP_PARAMETERS=null");
    }

    @Test
    void substitutesOnlyBuildVariablesInPluginEnv() {
        assertThat(withEnv(Map.entry("A", "$ARGOCD_APP_NAME/$HOME"))).contains("ARGOCD_ENV_A=guestbook/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "NULL",
            value = {
                "''|''",
                "$FOO|bar",
                "${FOO}|bar",
                "${FOO|FOO",
                "$BAR|''",
                "${BAR}|''",
                "${FOO:-x}|''",
                "${FOO-x}|''",
                "$$FOO|$FOO",
                "$$$FOO|$bar",
                "$$$$FOO|$$FOO",
                "${$}|$",
                "$5|''",
                "$12|2",
                "$-x|x",
                "$(FOO)|$(FOO)",
                "a$|a$",
                "$é|$é",
                "${}|''",
                "${ }|''",
                "${{FOO}}|}",
                "\\$FOO|\\bar",
                "$FOO_bar|''",
                "echo $FOO; echo $BAR; echo ${FOO}; echo ${BAR}; echo ${FOO|echo bar; echo ; echo bar; echo ; echo FOO",
            })
    void expandsAsGoDoes(String text, String expected) {
        assertThat(GoExpand.expand(text, Map.of("FOO", "bar")::get)).isEqualTo(expected);
    }

    @Test
    void prefersTheLongestName() {
        assertThat(BUILD.substitute("namespace: $ARGOCD_APP_NAMESPACE; name: $ARGOCD_APP_NAME"))
                .isEqualTo("namespace: default; name: guestbook");
    }

    @Test
    void writesAStringParameter() {
        assertThat(withParameters(PluginParameter.ofString("version", "1.2.3")))
                .containsExactly(
                        "ARGOCD_APP_PARAMETERS=[{\"name\":\"version\",\"string\":\"1.2.3\"}]", "PARAM_VERSION=1.2.3");
    }

    @Test
    void writesAnArrayParameterWithIndexes() {
        assertThat(withParameters(PluginParameter.ofArray("dependencies", List.of("redis", "minio"))))
                .containsExactly(
                        "ARGOCD_APP_PARAMETERS=[{\"array\":[\"redis\",\"minio\"],\"name\":\"dependencies\"}]",
                        "PARAM_DEPENDENCIES_0=redis",
                        "PARAM_DEPENDENCIES_1=minio");
    }

    @Test
    void writesAllKindsOfOneParameter() {
        SequencedMap<String, String> map = new LinkedHashMap<>();
        map.put("image.tag", "v1");
        map.put("image.repo", "<a&b>");
        PluginParameter all =
                new PluginParameter("some-name", Optional.of("s"), Optional.of(map), Optional.of(List.of("x")));
        assertThat(withParameters(all))
                .containsExactly(
                        "ARGOCD_APP_PARAMETERS=[{\"array\":[\"x\"],\"map\":{\"image.repo\":\"\\u003ca\\u0026b\\u003e\","
                                + "\"image.tag\":\"v1\"},\"name\":\"some-name\",\"string\":\"s\"}]",
                        "PARAM_SOME_NAME=s",
                        "PARAM_SOME_NAME_IMAGE_TAG=v1",
                        "PARAM_SOME_NAME_IMAGE_REPO=<a&b>",
                        "PARAM_SOME_NAME_0=x");
    }

    @Test
    void keepsKindsThatAreThereButEmptyInTheJson() {
        PluginParameter empty =
                new PluginParameter("", Optional.of(""), Optional.of(new LinkedHashMap<>()), Optional.of(List.of()));
        assertThat(withParameters(empty))
                .containsExactly(
                        "ARGOCD_APP_PARAMETERS=[{\"array\":[],\"map\":{},\"name\":\"\",\"string\":\"\"}]", "PARAM_=");
    }

    @ParameterizedTest
    @CsvSource({
        "a-b,PARAM_A_B",
        "a.b,PARAM_A_B",
        "É,PARAM__",
        "ß,PARAM__",
        "1x,PARAM_1X",
        "a--b,PARAM_A__B",
        "😀,PARAM__"
    })
    void namesTheVariable(String name, String variable) {
        assertThat(PluginParameter.ofString(name, "").variable()).isEqualTo(variable);
    }

    @ParameterizedTest
    @CsvSource({"v1.30.2+k3s1,1.30.2", "1.30,1.30", "v1.31.0-rc.1,1.31.0", "1.2.3.4,1.2.3.4"})
    void keepsTheNumbersOfTheVersion(String version, String expected) {
        assertThat(versioned(version).kubeVersion()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1", "v1", "01.2", "x", "v"})
    void refusesAVersionThatIsNone(String version) {
        assertThatThrownBy(() -> versioned(version))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("could not parse kubernetes version");
    }

    private static BuildEnvironment versioned(String version) {
        return new BuildEnvironment("", "", "", "", "", "", "", version, List.of());
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static List<String> withEnv(Map.Entry<String, String>... env) {
        return lines(new PluginEnvironment(BUILD, Optional.of(new PluginBlock(List.of(env), List.of()))));
    }

    private static List<String> withParameters(PluginParameter... parameters) {
        PluginEnvironment environment =
                new PluginEnvironment(BUILD, Optional.of(new PluginBlock(List.of(), List.of(parameters))));
        List<String> all = lines(environment);
        return all.subList(11, all.size());
    }

    private static List<String> lines(PluginEnvironment environment) {
        return environment.variables().stream()
                .map(v -> v.assignment().toString())
                .toList();
    }
}
