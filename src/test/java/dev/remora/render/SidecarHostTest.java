package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.plugin.PluginDefinition;
import dev.remora.protocol.ClientOptions;
import dev.remora.sidecar.ServeOptions;
import dev.remora.sidecar.SidecarServer;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.Phases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The contract, behind the socket of a real server.
class SidecarHostTest extends PluginHostContract {
    private final List<SidecarServer> servers = new ArrayList<>();

    @AfterEach
    void stopServers() {
        servers.forEach(SidecarServer::close);
    }

    @Override
    PluginHost host(PluginDefinition definition, String text) throws IOException {
        Path config = Files.createDirectories(folder.resolve(definition.name() + "/config"));
        Path sockets = Files.createDirectories(folder.resolve(definition.name() + "/s" + servers.size()));
        Path work = Files.createDirectories(folder.resolve(definition.name() + "/work"));
        Files.writeString(config.resolve("plugin.yaml"), text);
        servers.add(SidecarServer.start(ServeOptions.at(config, sockets, work), Log.silent()));
        return new SidecarHost(sockets.resolve(definition.socketName()), work, ClientOptions.DEFAULT);
    }

    @Test
    void saysWhyAServerCannotBeReached() {
        try (PluginHost host = new SidecarHost(folder.resolve("no.sock"), folder, ClientOptions.DEFAULT)) {
            assertThat(host.name()).isEqualTo("no");
            assertThatThrownBy(() -> host.generate(request("app"), new Phases()))
                    .hasMessageContaining("cannot connect to " + folder.resolve("no.sock"));
        }
    }

    @Test
    @SuppressWarnings("JUnitMethodInvoked") // the contract's case is the render whose traces are looked for
    void leavesNoPackedFolderBehind() throws IOException {
        showsTheFolderAsASidecarSeesIt();
        try (Stream<Path> files = Files.walk(folder.resolve("seeing/work"))) {
            assertThat(files.map(Path::toString)).noneMatch(file -> file.endsWith(".tar.gz"));
        }
    }
}
