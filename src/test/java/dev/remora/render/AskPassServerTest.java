package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Secret;
import dev.remora.git.AskPass;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.wire.AskPassServiceGrpc;
import dev.remora.wire.CredentialsRequest;
import dev.remora.wire.CredentialsResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskPassServerTest {
    @TempDir
    Path folder;

    private static CredentialsResponse ask(PluginClient client, String nonce) {
        return AskPassServiceGrpc.newBlockingStub(client.channel())
                .getCredentials(CredentialsRequest.newBuilder().setNonce(nonce).build());
    }

    @Test
    void answersANonceWhileItsLoanLasts() {
        Path socket = folder.resolve("ask.sock");
        try (AskPassServer server = AskPassServer.at(socket);
                PluginClient client = PluginClient.connect(socket, ClientOptions.DEFAULT)) {
            try (AskPass.Place place = server.open("n1", "deploy", new Secret("ü"));
                    AskPass.Place other = server.open("n2", "else", new Secret("q"))) {
                assertThat(place.socket()).isEqualTo(socket);
                assertThat(ask(client, "n1").getUsername()).isEqualTo("deploy");
                assertThat(ask(client, "n1").getPassword()).isEqualTo("ü");
                assertThat(ask(client, "n2").getUsername()).isEqualTo("else");
                assertThat(other.variables()).isEmpty();
            }
            assertThatThrownBy(() -> ask(client, "n1")).hasMessage("NOT_FOUND: unknown nonce");
            assertThatThrownBy(() -> ask(client, "")).hasMessage("INVALID_ARGUMENT: missing nonce");
        }
        assertThat(socket).doesNotExist();
    }
}
