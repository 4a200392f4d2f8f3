package dev.remora.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateTest {
    private static List<RenderedObject> render(int source, String output) {
        return new PostProcessing(Tracking.standard("app", "prod"))
                .ofPlugin(source, ManifestSplitter.split(output.getBytes(UTF_8), SplitOptions.ARGOCD));
    }

    private static List<String> warnings(List<RenderedObject> objects) {
        return Duplicate.among(objects, "prod").stream().map(Duplicate::warning).toList();
    }

    @Test
    void namesBothPlaces() {
        List<RenderedObject> objects = render(0, """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
                ---
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: other}}
                ---
                {apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: web, namespace: prod}}
                """);

        assertThat(warnings(objects))
                .containsExactly(
                        "Deployment.apps/web is rendered twice: document 1 (line 1 of the output) and document 3"
                                + " (line 5 of the output); Argo CD applies the last one and warns (RepeatedResourceWarning)");
    }

    @Test
    void namesTheSourcesWhereTheyDiffer() {
        List<RenderedObject> objects = new ArrayList<>(render(0, "{kind: Service, metadata: {name: web}}"));
        objects.addAll(render(2, "{kind: Service, metadata: {name: web}}"));

        assertThat(warnings(objects).getFirst()).contains("source 1 document 1", "source 3 document 1");
    }

    @Test
    void leavesApartWhatIsAnotherObjectInTheCluster() {
        assertThat(warnings(render(0, """
                {kind: Service, metadata: {name: web}}
                ---
                {kind: Service, metadata: {name: web, namespace: other}}
                ---
                {apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: web}}
                ---
                {kind: Job, metadata: {generateName: run-}}
                ---
                {kind: Job, metadata: {generateName: run-}}
                """))).isEmpty();
    }

    @Test
    void knowsKindsWithoutNamespace() {
        assertThat(warnings(render(0, """
                {apiVersion: v1, kind: Namespace, metadata: {name: team}}
                ---
                {apiVersion: v1, kind: Namespace, metadata: {name: team, namespace: other}}
                """))).hasSize(1);
    }
}
