package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestPrinterTest {
    private static List<ManifestDocument> split(String output) {
        return ManifestSplitter.split(output.getBytes(UTF_8), SplitOptions.STRICT);
    }

    @Test
    void printsBlockYaml() {
        String yaml = ManifestPrinter.yaml(split("""
                        {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","labels":{}},
                         "spec":{"args":["-c","yes","1.0","a: b","x #y","- z",""],"n":1.0,"t":true,"z":null,
                         "text":"line 1\\n  line 2\\n","none":[],"deep":[[1,2],{"a":{"b":"c"}}]}}
                        {"kind":"A"}"""), false);

        assertThat(yaml).isEqualTo("""
                kind: Deployment
                apiVersion: apps/v1
                metadata:
                  name: web
                  labels: {}
                spec:
                  args:
                  - "-c"
                  - "yes"
                  - "1.0"
                  - "a: b"
                  - "x #y"
                  - "- z"
                  - ""
                  "n": 1.0
                  t: true
                  z: null
                  text: |
                    line 1
                      line 2
                  none: []
                  deep:
                  - - 1
                    - 2
                  - a:
                      b: c
                ---
                kind: A
                """);
    }

    @Test
    void printsAListInJson() {
        assertThat(ManifestPrinter.json(split("kind: B\na: 1\n---\nkind: List\nitems: [{kind: C}]\n"), false))
                .isEqualTo("""
                        {
                            "apiVersion": "v1",
                            "items": [
                                {
                                    "a": 1,
                                    "kind": "B"
                                },
                                {
                                    "kind": "C"
                                }
                            ],
                            "kind": "List"
                        }
                        """);
    }

    @Test
    void printsNamesAsKubectlDoes() {
        assertThat(ManifestPrinter.name(split("""
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: web}
                        ---
                        apiVersion: v1
                        kind: List
                        items:
                        - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
                        - {apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {generateName: b-}}
                        """))).isEqualTo("""
                        deployment.apps/web
                        configmap/a
                        appproject.argoproj.io/b-
                        """);
    }

    @Test
    void printsATable() {
        assertThat(ManifestPrinter.wide(
                        split("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n---\nkind: X\n")))
                .isEqualTo("""
                        NAMESPACE   NAME   KIND      APIVERSION   LINE
                        shop        web    Service   v1           1
                                           X                      5
                        """);
    }

    @Test
    void masksWhatASecretHolds() {
        List<ManifestDocument> documents = split("""
                apiVersion: v1
                kind: Secret
                metadata:
                  name: db
                  annotations:
                    kubectl.kubernetes.io/last-applied-configuration: '{"data":{"password":"aHVudGVyMg=="}}'
                    other: kept
                data: {password: aHVudGVyMg==, nested: {x: hunter2}}
                stringData: {user: hunter2}
                ---
                kind: List
                items:
                - kind: Secret
                  data: {a: hunter2}
                - kind: ConfigMap
                  data: {a: kept too}
                ---
                kind: Secret
                data: hunter2
                """);

        String yaml = ManifestPrinter.yaml(documents, true);
        String json = ManifestPrinter.json(documents, true);

        assertThat(yaml + json).doesNotContain("hunter2", "aHVudGVyMg");
        assertThat(yaml).contains("password: \"******\"", "other: kept", "a: kept too", "name: db");
        assertThat(ManifestPrinter.yaml(documents, false)).contains("aHVudGVyMg==", "user: hunter2");
    }
}
