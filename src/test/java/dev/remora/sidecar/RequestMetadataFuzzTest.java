package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.remora.fault.Fault;
import dev.remora.plugin.PluginDefinition;
import dev.remora.plugin.PluginDefinitionReader;
import dev.remora.posix.Bytes;
import dev.remora.process.ExecTimeouts;
import dev.remora.protocol.FakeCall;
import dev.remora.wire.ManifestRequestMetadata;
import dev.remora.workspace.RootedPath;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// Whatever a caller announces, it is either refused by a fault or taken without harm: its path stays below the root.
class RequestMetadataFuzzTest {
    private static final PluginDefinition PLUGIN =
            PluginDefinitionReader.read(RunningSidecar.CAT.getBytes(StandardCharsets.UTF_8), "plugin.yaml");
    private static final Bytes ROOT = Bytes.utf8("/work/root");

    @FuzzTest(maxDuration = "30s")
    void takesAnyMetadata(byte[] bytes) {
        ManifestRequestMetadata metadata;
        try {
            metadata = ManifestRequestMetadata.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return;
        }
        CallSession call = new CallSession(PLUGIN, FakeCall.without(), ExecTimeouts.DEFAULT, Instant.EPOCH);
        call.about(metadata);
        assertThat(call.environment()).hasSize(metadata.getEnvCount());
        assertThat(call.application()).isNotNull();
        assertThat(call.project().orElse("x")).isNotEmpty();
        call.environment().stream()
                .filter(variable ->
                        dev.remora.telemetry.Mask.isSecretName(variable.name().toString()))
                .map(variable -> variable.value().toString().strip())
                .filter(value -> value.length() >= 8 && !value.contains("*"))
                .filter(value -> call.environment().size() < 900)
                .forEach(value ->
                        assertThat(call.mask().apply("<" + value + ">")).doesNotContain(value));
        try {
            Bytes path = RootedPath.lexical(ROOT, call.relativePath()).path();
            assertThat(path.equals(ROOT) || path.startsWith(Bytes.utf8("/work/root/")))
                    .isTrue();
        } catch (Fault refused) {
            assertThat(refused.code().id()).startsWith("path.");
        }
    }
}
