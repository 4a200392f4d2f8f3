package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.cli.OutputFolder.Layout;
import dev.remora.cli.OutputFolder.Told;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
    private static final String WEB = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}\n";
    private static final String DB = "{apiVersion: v1, kind: Secret, metadata: {name: db}, stringData: {p: hunter2}}\n";
    private static final Told TOLD = new Told(
            List.of("cat"),
            List.of("30aab63"),
            true,
            Duration.ofMillis(1500),
            Map.of("generate", Duration.ofMillis(1200)),
            Optional.empty(),
            List.of("look"));

    @TempDir
    private Path folder;

    private OutputFolder open(String... applications) {
        return OutputFolder.open(folder, Layout.OBJECTS, false, List.of(applications), true);
    }

    private void run(String application, String yaml) {
        OutputFolder output = open(application);
        output.write(0, Rendered.of(yaml), TOLD);
        output.finish();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void writesAFileForEachObject() throws IOException {
        run("shop", WEB + "---\n" + DB);

        assertThat(files()).containsExactly("index.json", "shop/Deployment-web.yaml", "shop/Secret-db.yaml");
        assertThat(folder.resolve("shop/Deployment-web.yaml"))
                .hasContent("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n");
    }

    @Test
    void writesAFileForEachApplication() throws IOException {
        OutputFolder output = OutputFolder.open(folder, Layout.APPLICATIONS, true, List.of("shop", "pay"), true);
        output.write(0, Rendered.of(WEB + "---\n" + DB), TOLD);
        output.write(1, Rendered.of(""), TOLD);
        output.finish();

        assertThat(files()).containsExactly("index.json", "pay.yaml", "shop.yaml");
        assertThat(folder.resolve("shop.yaml")).content().contains("---\n").doesNotContain("hunter2");
    }

    @Test
    void tellsCountsDigestsAndTimings() throws IOException {
        run("shop", WEB);

        String sha256 = dev.remora.digest.Sha256.hex(Files.readAllBytes(folder.resolve("shop/Deployment-web.yaml")));
        assertThat(folder.resolve("index.json"))
                .content()
                .contains("\"schema\" : \"remora/render-index/v1\"")
                .contains("\"applications\" : 1", "\"failed\" : 0", "\"objects\" : 1", "\"files\" : 1")
                .contains("\"sha256\" : \"" + sha256 + "\"", "\"seconds\" : 1.5", "\"generate\" : 1.2")
                .contains("\"path\" : \"shop/Deployment-web.yaml\"", "\"dirty\" : true", "\"30aab63\"", "\"look\"");
    }

    @Test
    void removesTheFilesOfObjectsThatAreGone() throws IOException {
        run("shop", WEB + "---\n" + DB);
        run("shop", DB);

        assertThat(files()).containsExactly("index.json", "shop/Secret-db.yaml");
    }

    @Test
    void removesTheFolderOfAnApplicationThatIsGone() throws IOException {
        run("shop", WEB);
        run("pay", DB);

        assertThat(files()).containsExactly("index.json", "pay/Secret-db.yaml");
        assertThat(folder.resolve("shop")).doesNotExist();
    }

    @Test
    void keepsApplicationsThatWereNotAskedFor() throws IOException {
        run("shop", WEB);
        OutputFolder some = OutputFolder.open(folder, Layout.OBJECTS, false, List.of("pay"), false);
        some.write(0, Rendered.of(DB), TOLD);
        some.finish();

        assertThat(files()).contains("shop/Deployment-web.yaml", "pay/Secret-db.yaml");
        assertThat(folder.resolve("index.json")).content().contains("\"applications\" : 2", "shop/Deployment-web.yaml");
    }

    @Test
    void neverRemovesWhatNoIndexLists() throws IOException {
        run("shop", WEB);
        Files.writeString(folder.resolve("shop/notes.yaml"), "mine");
        Files.writeString(folder.resolve("README.md"), "mine");
        run("pay", DB);

        assertThat(files()).containsExactly("README.md", "index.json", "pay/Secret-db.yaml", "shop/notes.yaml");
    }

    @Test
    void keepsTheFilesOfAFailedApplicationAndSaysSo() throws IOException {
        run("shop", WEB);
        OutputFolder output = open("shop");
        output.failed(0, new Fault(FaultCode.COMMAND_FAILED, "it broke"));
        output.finish();

        assertThat(files()).contains("shop/Deployment-web.yaml");
        assertThat(folder.resolve("index.json"))
                .content()
                .contains("\"failed\" : 1", "\"command.failed\"", "it broke", "shop/Deployment-web.yaml");
        run("shop", DB);
        assertThat(files()).containsExactly("index.json", "shop/Secret-db.yaml");
        assertThat(folder.resolve("index.json"))
                .content()
                .contains("\"failed\" : 0")
                .doesNotContain("it broke");
    }

    /// The index is a file like any other in a repository.
    @Test
    void obeysNoIndexThatLeadsOutside() throws IOException {
        Path inside = Files.createDirectory(folder.resolve("out"));
        Path victim = Files.writeString(folder.resolve("victim.yaml"), "mine");
        Files.createDirectories(folder.resolve("target"));
        Path linked = Files.writeString(folder.resolve("target/x.yaml"), "mine");
        Files.createSymbolicLink(inside.resolve("link"), folder.resolve("target"));
        Files.writeString(inside.resolve("index.json"), """
                {"schema": "remora/render-index/v1", "layout": "objects", "applications": [{"name": "a", "application": "a",
                 "files": [{"path": "../victim.yaml"}, {"path": "%s"}, {"path": "link/x.yaml"}, {"path": ""}, {"path": "a/b/c.yaml"}]}]}
                """.formatted(victim));
        OutputFolder output = OutputFolder.open(inside, Layout.OBJECTS, false, List.of(), true);

        output.finish();

        assertThat(victim).hasContent("mine");
        assertThat(linked).hasContent("mine");
    }

    @Test
    void writesThroughNoLink() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path inside = Files.createDirectory(folder.resolve("out"));
        Files.createSymbolicLink(inside.resolve("shop"), elsewhere);
        OutputFolder output = OutputFolder.open(inside, Layout.OBJECTS, false, List.of("shop"), true);

        assertThatThrownBy(() -> output.write(0, Rendered.of(WEB), TOLD))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("no folder of its own");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void replacesALinkAndNotWhatItLeadsTo() throws IOException {
        Path mine = Files.writeString(folder.resolve("mine.txt"), "mine");
        Path inside = Files.createDirectories(folder.resolve("out/shop"));
        Files.createSymbolicLink(inside.resolve("Deployment-web.yaml"), mine);
        OutputFolder output = OutputFolder.open(folder.resolve("out"), Layout.OBJECTS, false, List.of("shop"), true);

        output.write(0, Rendered.of(WEB), TOLD);

        assertThat(mine).hasContent("mine");
        assertThat(inside.resolve("Deployment-web.yaml"))
                .isRegularFile()
                .content()
                .contains("kind: Deployment");
    }

    @Test
    void leavesAFileAloneThatDidNotChange() throws IOException {
        run("shop", WEB);
        Path file = folder.resolve("shop/Deployment-web.yaml");
        Object before = Files.getAttribute(file, "unix:ino");
        run("shop", WEB);

        assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(before);
    }

    @Test
    void isWrittenByManyThreads() throws IOException {
        String[] applications = IntStream.range(0, 40).mapToObj(i -> "app" + i).toArray(String[]::new);
        OutputFolder output = open(applications);

        IntStream.range(0, applications.length).parallel().forEach(i -> output.write(i, Rendered.of(WEB), TOLD));
        output.finish();

        assertThat(files()).hasSize(41);
        assertThat(folder.resolve("index.json")).content().contains("\"applications\" : 40");
    }

    @Test
    void givesApplicationsOfOneNameFoldersOfTheirOwn() throws IOException {
        OutputFolder output = open("shop", "Shop");
        output.write(0, Rendered.of(WEB), TOLD);
        output.write(1, Rendered.of(DB), TOLD);
        output.finish();

        assertThat(files()).containsExactly("Shop~2/Secret-db.yaml", "index.json", "shop/Deployment-web.yaml");
    }
}
