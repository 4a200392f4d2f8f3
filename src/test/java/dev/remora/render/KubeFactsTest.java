package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeFactsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Client Version: v1.29.0\nKustomize Version: v5.0.4\nServer Version: v1.30.2+k3s1\n",
                "Client Version: version.Info{GitVersion:\"v1.20.0\"}\nServer Version: version.Info{Major:\"1\", GitVersion:\"v1.30.2+k3s1\", Platform:\"linux/amd64\"}\n",
                "clientVersion: {gitVersion: v1.29.0}\nserverVersion:\n  gitVersion: v1.30.2+k3s1\n",
                "{\"clientVersion\": {\"gitVersion\": \"v1.29.0\"}, \"serverVersion\": {\"gitVersion\": \"v1.30.2+k3s1\"}}",
                "v1.30.2+k3s1\n",
                "kubeVersion: v1.30.2+k3s1\n"
            })
    void readsTheServersVersion(String text) {
        assertThat(KubeFacts.parse("facts", text)).isEqualTo(new KubeFacts("v1.30.2+k3s1", java.util.List.of()));
    }

    @Test
    void readsSavedApiVersions() {
        assertThat(KubeFacts.parse("facts", "apps/v1\nbatch/v1\ncert-manager.io/v1alpha2\nv1\n")
                        .apiVersions())
                .containsExactly("apps/v1", "batch/v1", "cert-manager.io/v1alpha2", "v1");
    }

    @Test
    void readsSavedApiResourcesWithTheirKinds() {
        String text = """
                NAME          SHORTNAMES   APIVERSION   NAMESPACED   KIND
                bindings                   v1           true         Binding
                deployments   deploy       apps/v1      true         Deployment
                nodes         no           v1           false        Node
                """;
        assertThat(KubeFacts.parse("facts", text).apiVersions())
                .containsExactly("v1", "v1/Binding", "apps/v1", "apps/v1/Deployment", "v1", "v1/Node");
    }

    @Test
    void readsAFileOfBoth() {
        KubeFacts facts = KubeFacts.parse("facts", "kubeVersion: \"1.30\"\napiVersions: [v1, apps/v1/Deployment]\n");
        assertThat(facts.version()).isEqualTo("1.30");
        assertThat(facts.apiVersions()).containsExactly("v1", "apps/v1/Deployment");
    }

    /// `kubectl version --client` never asked a cluster.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Client Version: v1.29.0\n",
                "just: text\n",
                "NAME SHORTNAMES APIVERSION NAMESPACED KIND\nx\n"
            })
    void refusesWhatTellsNothing(String text) {
        assertThatThrownBy(() -> KubeFacts.parse("facts.txt", text))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("facts.txt");
    }
}
