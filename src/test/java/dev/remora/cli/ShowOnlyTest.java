package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.manifest.Rendered;
import dev.remora.manifest.RenderedObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShowOnlyTest {
    private static final List<RenderedObject> OBJECTS = Rendered.of("""
            {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
            ---
            {apiVersion: v1, kind: Service, metadata: {name: web}}
            ---
            {apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: fn}}
            """);

    private static List<String> shown(String... wanted) {
        return new ShowOnly(List.of(wanted))
                .of(OBJECTS).stream().map(object -> object.name().toString()).toList();
    }

    @Test
    void showsAllWhereNothingIsAskedFor() {
        assertThat(shown()).hasSize(3);
    }

    @Test
    void matchesKindsWithoutRegardToCase() {
        assertThat(shown("service")).containsExactly("Service/web", "Service/fn");
    }

    @Test
    void matchesNamesAndGroups() {
        assertThat(shown("Service/web", "service.serving.knative.dev")).containsExactly("Service/web", "Service/fn");
        assertThat(shown("Service/we")).isEmpty();
    }

    @Test
    void proposesTheNearestOfWhatIsThere() {
        ShowOnly only = new ShowOnly(List.of("Deployment/wbe"));
        only.of(OBJECTS);

        assertThatThrownBy(only::refuseUnfound)
                .isInstanceOf(Fault.class)
                .hasMessageContaining("no object is Deployment/wbe, did you mean Deployment/web?");
    }

    @Test
    void refusesAValueWithoutAKind() {
        assertThatThrownBy(() -> new ShowOnly(List.of("/web"))).hasMessageContaining("KIND[.GROUP][/NAME]");
    }
}
