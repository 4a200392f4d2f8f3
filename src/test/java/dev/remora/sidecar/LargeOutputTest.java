package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.Fault;
import dev.remora.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A server whose memory is too small for what a command prints.
class LargeOutputTest {
    private static final String LARGE = RunningSidecar.definition("large", "head -c 60000000 /dev/zero | tr '\\0' a");

    @Test
    void saysThatItsOwnMemoryIsUsedUpAndServesOn() throws Exception {
        ChildJvm.Result result = new ChildJvm().with("-Xmx24m").run(Small.class);
        assertThat(result.output())
                .contains("RESOURCE_EXHAUSTED")
                .contains("the plugin server's memory of ")
                .contains("[serve.memory]")
                .endsWith("then kind: ConfigMap\n");
    }

    /// Asks for the large output, then for a small one.
    static final class Small {
        public static void main(String[] arguments) throws Exception {
            Path folder = Files.createTempDirectory("large");
            SmallArchive archive =
                    SmallArchive.of(Map.of("a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"));
            try (RunningSidecar sidecar = new RunningSidecar(folder, LARGE)) {
                try {
                    System.out.println(sidecar.generate("large", archive, "."));
                } catch (Fault fault) {
                    System.out.println(fault.getMessage() + " " + fault.getCause());
                }
                sidecar.define(RunningSidecar.definition("large", "cat a.yaml"));
                RunningSidecar.await(() -> sidecar.logged().contains("reloaded"));
                System.out.println(
                        sidecar.generate("large", archive, ".").getFirst().contains("ConfigMap")
                                ? "then kind: ConfigMap"
                                : "then nothing");
            }
        }
    }
}
