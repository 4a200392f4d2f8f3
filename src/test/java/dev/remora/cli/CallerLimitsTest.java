package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallerLimitsTest {
    @TempDir
    private Path folder;

    private CallerLimits read(String data) throws IOException {
        Path file = Files.writeString(
                folder.resolve("cm.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n" + data);
        return CallerLimits.read(file, "cm.yaml");
    }

    @Test
    void takesArgoCdsDefaultWhereNothingIsSet() throws IOException {
        CallerLimits limits = read("");

        assertThat(limits.controller()).isEqualTo(Duration.ofSeconds(60));
        assertThat(limits.controllerPlace()).startsWith("cm.yaml does not set ");
    }

    @Test
    void saysWhereAValueStands() throws IOException {
        CallerLimits limits = read("""
                data:
                  controller.repo.server.timeout.seconds: "90"
                  server.repo.server.timeout.seconds: "30"
                """);

        assertThat(limits.controller()).isEqualTo(Duration.ofSeconds(90));
        assertThat(limits.controllerPlace()).isEqualTo("cm.yaml:5:3 controller.repo.server.timeout.seconds");
        assertThat(limits.others())
                .containsExactly(
                        "the API server, for the UI's parameters and previews: 30s (cm.yaml:6:3)",
                        "the ApplicationSet controller: 60s (not set)");
    }

    @Test
    void refusesWhatIsNoNumberOfSeconds() {
        assertThatThrownBy(() -> read("data: {controller.repo.server.timeout.seconds: 2m}"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("cm.yaml:4:8: controller.repo.server.timeout.seconds is no number of seconds");
    }

    @Test
    void refusesAnotherKind() throws IOException {
        Path file = Files.writeString(folder.resolve("x.yaml"), "kind: Secret\n");

        assertThatThrownBy(() -> CallerLimits.read(file, "x.yaml")).hasMessageContaining("give argocd-cmd-params-cm");
    }
}
