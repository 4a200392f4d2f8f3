package dev.remora.sidecar;

import com.google.protobuf.Empty;
import dev.remora.plugin.PluginDefinition;
import dev.remora.wire.CheckPluginConfigurationResponse;
import dev.remora.wire.ConfigManagementPluginServiceGrpc;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// The gRPC services on one plugin's socket: the plugin protocol, version, health, reflection.
final class PluginServices {
    private PluginServices() {}

    static List<ServerServiceDefinition> of(
            ServerParts parts, Supplier<PluginDefinition> plugin, AdmissionQueue queue, Executor executor) {
        return List.of(
                pluginProtocol(parts, plugin, queue, executor),
                new VersionAnswers(parts, executor).bindService(),
                new HealthStatusManager().getHealthService().bindService(),
                reflectionV1(),
                reflectionV1Alpha());
    }

    private static ServerServiceDefinition pluginProtocol(
            ServerParts parts, Supplier<PluginDefinition> plugin, AdmissionQueue queue, Executor executor) {
        ServedCalls calls = new ServedCalls(parts, plugin);
        return ServerServiceDefinition.builder(ConfigManagementPluginServiceGrpc.getServiceDescriptor())
                .addMethod(
                        ConfigManagementPluginServiceGrpc.getGenerateManifestMethod(),
                        calls.of(executor, new GenerateManifestCall(parts, queue)::run))
                .addMethod(
                        ConfigManagementPluginServiceGrpc.getMatchRepositoryMethod(),
                        calls.of(executor, new MatchRepositoryCall(parts, queue)::run))
                .addMethod(
                        ConfigManagementPluginServiceGrpc.getGetParametersAnnouncementMethod(),
                        calls.of(executor, new ParametersAnnouncementCall(parts, queue)::run))
                .addMethod(
                        ConfigManagementPluginServiceGrpc.getCheckPluginConfigurationMethod(),
                        ServerCalls.asyncUnaryCall(
                                (Empty request, StreamObserver<CheckPluginConfigurationResponse> out) ->
                                        check(plugin.get(), out)))
                .build();
    }

    private static void check(PluginDefinition plugin, StreamObserver<CheckPluginConfigurationResponse> out) {
        out.onNext(CheckPluginConfigurationResponse.newBuilder()
                .setIsDiscoveryConfigured(plugin.discoveryConfigured())
                .setProvideGitCreds(plugin.provideGitCreds())
                .build());
        out.onCompleted();
    }

    private static ServerServiceDefinition reflectionV1() {
        return ProtoReflectionServiceV1.newInstance().bindService();
    }

    /// Argo CD's server offers the old version too.
    @SuppressWarnings("deprecation")
    private static ServerServiceDefinition reflectionV1Alpha() {
        return io.grpc.protobuf.services.ProtoReflectionService.newInstance().bindService();
    }
}
