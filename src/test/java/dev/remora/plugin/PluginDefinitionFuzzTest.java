package dev.remora.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;

/// Any bytes are a definition, or a fault that names the file.
class PluginDefinitionFuzzTest {
    @FuzzTest(maxDuration = "30s")
    void readsOrRefusesWithAPlace(byte[] text) {
        try {
            PluginDefinition definition = PluginDefinitionReader.read(text, "plugin.yaml");

            assertThat(definition.name()).isNotEmpty();
            assertThat(definition.generate().defined()).isTrue();
        } catch (Fault fault) {
            assertThat(fault.code()).isEqualTo(FaultCode.CONFIG_INVALID);
            assertThat(fault.problems())
                    .isNotEmpty()
                    .allMatch(problem -> problem.where().isPresent());
        }
    }
}
