package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginCatalogTest {
    @TempDir
    private Path directory;

    private static String definition(String name) {
        return "apiVersion: argoproj.io/v1alpha1\nkind: ConfigManagementPlugin\nmetadata:\n  name: " + name
                + "\nspec:\n  generate:\n    command: [cat, x]\n";
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private List<String> names(List<String> single, List<String> folders) {
        return PluginCatalog.read(single, folders, directory).plugins().stream()
                .map(plugin -> plugin.name() + " " + plugin.from())
                .toList();
    }

    private Fault refusal(List<String> single, List<String> folders) {
        return catchThrowableOfType(Fault.class, () -> PluginCatalog.read(single, folders, directory));
    }

    @Test
    void findsDefinitionsFoldersConfigMapsAndSocketsInTheOrderOfSocketNames() throws IOException {
        write("p/z.yaml", definition("b"));
        write("p/kapitan/plugin.yaml", definition("kapitan"));
        write("p/kapitan/values.yaml", "not: read");
        write("p/..data/plugin.yaml", definition("hidden"));
        write(
                "p/cm.yml",
                "kind: ConfigMap\ndata:\n  plugin.yaml: |\n    " + indented(definition("carried")) + "\n  other: x\n");
        write("p/deployment.yaml", "kind: Deployment\nspec: {template: {}}\n");
        write("p/broken.yaml", "a: [\n");
        write("p/readme.md", definition("readme"));
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(directory.resolve("p/b-1.sock")));

            assertThat(names(List.of(), List.of("p")))
                    .containsExactly(
                            "b-1 p/b-1.sock",
                            "b p/z.yaml",
                            "carried p/cm.yml (plugin.yaml)",
                            "kapitan p/kapitan/plugin.yaml");
        }
    }

    private static String indented(String text) {
        return text.replace("\n", "\n    ").strip();
    }

    @Test
    void takesSinglePluginsAsFileFolderAndSocketWithoutLookingAtTheSocket() throws IOException {
        write("a.yaml", definition("a"));
        write("f/plugin.yaml", definition("f"));

        assertThat(names(List.of("unix:run/s.sock", "f", "a.yaml"), List.of()))
                .containsExactly("a a.yaml", "f f/plugin.yaml", "s unix:run/s.sock");
    }

    @Test
    void severalDefinitionsAndMapsMayShareAFile() throws IOException {
        write(
                "all.yaml",
                definition("a") + "---\nkind: Namespace\n---\n" + definition("b")
                        + "---\nkind: List\nitems:\n- kind: ConfigMap\n  data:\n    p.yaml: |\n      "
                        + definition("c").replace("\n", "\n      ").strip() + "\n");

        assertThat(names(List.of("all.yaml"), List.of()))
                .containsExactly("a all.yaml", "b all.yaml", "c all.yaml (p.yaml)");
    }

    @Test
    void oneFileGivenTwiceIsOnePlugin() throws IOException {
        write("p/a.yaml", definition("a"));

        assertThat(names(List.of("p/a.yaml"), List.of("p", "p/"))).containsExactly("a p/a.yaml");
    }

    @Test
    void twoOfOneNameAreAFaultThatNamesBoth() throws IOException {
        write("p/a.yaml", definition("a"));
        write("p/b.yaml", definition("a"));

        Fault fault = refusal(List.of("unix:/run/a.sock"), List.of("p"));

        assertThat(fault.code()).isEqualTo(FaultCode.PLUGIN_CLASH);
        assertThat(fault.problems()).hasSize(2);
        assertThat(fault).hasMessageContaining("plugin a is in unix:/run/a.sock and in p/a.yaml");
    }

    @Test
    void allThatIsWrongIsToldAtOnceWithFileAndLine() throws IOException {
        write("p/a.yaml", definition("a").replace("command: [cat, x]", "command: []"));
        write("p/b.yaml", "# one\n---\n" + definition("b").replace("name: b", "name: 7"));
        write(
                "p/cm.yaml",
                "kind: ConfigMap\ndata:\n  plugin.yaml: |\n    "
                        + indented(definition("c").replace("[cat, x]", "7")) + "\n");
        write("p/x.sock", "");
        write("p/late.yaml", definition("late") + "remora: {bogus: 1}\n");

        Fault fault = refusal(List.of("gone.yaml"), List.of("p", "nowhere"));

        assertThat(fault)
                .hasMessageContaining("gone.yaml cannot be read: no such file")
                .hasMessageContaining("p/a.yaml:7:")
                .hasMessageContaining("p/b.yaml:6:")
                .hasMessageContaining("p/cm.yaml:10:18")
                .hasMessageContaining("p/x.sock is no socket")
                .hasMessageContaining("p/late.yaml:8:")
                .hasMessageContaining("--plugins-dir nowhere: no such folder");
    }

    @Test
    void aFolderWithoutPluginsIsAFault() throws IOException {
        write("p/values.yaml", "a: 1\n");

        assertThat(refusal(List.of(), List.of("p"))).hasMessageContaining("--plugins-dir p holds no plugin");
        assertThat(refusal(List.of(), List.of("p/values.yaml"))).hasMessageContaining("--plugin takes a file");
    }

    @Test
    void whatIsGivenAsAPluginAndIsNoneIsReadAsOne() throws IOException {
        write("app.yaml", "kind: Application\n");

        assertThat(refusal(List.of("app.yaml"), List.of()))
                .hasMessageContaining("app.yaml")
                .hasMessageContaining("kind should be ConfigManagementPlugin");
    }

    @Test
    void filesAndFoldersThatAreTooLargeAreRefused() throws IOException {
        write("p/a.yaml", definition("a") + "#".repeat(5 << 20));

        assertThat(refusal(List.of(), List.of("p"))).hasMessageContaining("p/a.yaml is larger than 4 MiB");

        for (int i = 0; i < 257; i++) {
            write("many/p" + i + ".yaml", definition("p" + i));
        }
        assertThat(refusal(List.of(), List.of("many"))).hasMessageContaining("more than 256 plugins");
    }

    @Test
    void bombsAndNonsenseInAFolderAreFaultsOrPassedOver() throws IOException {
        write("p/bomb.yaml", "# ConfigManagementPlugin\na: &a [x,x,x,x,x,x,x,x,x,x]\n" + bomb());
        write("p/list.yaml", "# ConfigManagementPlugin\n- 1\n");
        write("p/map.yaml", "kind: ConfigMap\ndata: ConfigManagementPlugin\n");
        write("p/zero.yaml", "\0ConfigManagementPlugin");
        write("p/good.yaml", definition("good"));

        Fault fault = refusal(List.of(), List.of("p"));

        assertThat(fault).hasMessageContaining("p/bomb.yaml").hasMessageContaining("p/zero.yaml");
        assertThat(fault.getMessage()).doesNotContain("p/list.yaml").doesNotContain("p/map.yaml");
    }

    private static String bomb() {
        StringBuilder text = new StringBuilder();
        for (char name = 'b'; name < 'k'; name++) {
            char before = (char) (name - 1);
            text.append(name).append(": &").append(name).append(" [");
            text.append(("*" + before + ",").repeat(9))
                    .append("*")
                    .append(before)
                    .append("]\n");
        }
        return text.toString();
    }
}
