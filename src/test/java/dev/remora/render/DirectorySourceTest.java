package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectorySourceTest {
    private static final String OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    private static final ApplicationSource.Directory RECURSIVE =
            new ApplicationSource.Directory(true, "", "", false, false);

    @TempDir
    private Path root;

    private Path app;

    @BeforeEach
    void makeFolder() throws IOException {
        app = Files.createDirectories(root.resolve("app"));
    }

    private DirectorySource.Contents read(long bytes) {
        return new DirectorySource(bytes).read(root, app, RECURSIVE);
    }

    private Fault refusal(long bytes) {
        return catchThrowableOfType(Fault.class, () -> read(bytes));
    }

    private List<String> files() {
        return read(DirectorySource.DEFAULT_BYTES).files().stream()
                .map(DirectorySource.File::path)
                .toList();
    }

    @Test
    void countsTheBytesOfAllFilesTogether() throws IOException {
        Files.writeString(app.resolve("a.yaml"), OBJECT);
        Files.writeString(app.resolve("b.yaml"), OBJECT);
        Files.writeString(app.resolve("c.txt"), "x".repeat(1000));

        assertThat(read(2L * OBJECT.length()).files()).hasSize(2);
        Fault fault = refusal(2L * OBJECT.length() - 1);

        assertThat(fault.code()).isEqualTo(FaultCode.DIRECTORY_LIMIT);
        assertThat(fault)
                .hasMessageContaining(
                        "failed to get potentially valid manifests: exceeded max combined manifest file size")
                .hasMessageContaining("app/b.yaml")
                .hasMessageContaining("--max-combined-directory-manifests-size");
        assertThat(read(0).files()).hasSize(2);
    }

    @Test
    void countsALinkAsWhatItLeadsTo() throws IOException {
        Files.writeString(root.resolve("large.txt"), OBJECT + "#".repeat(1000));
        Files.createSymbolicLink(app.resolve("a.yaml"), Path.of("../large.txt"));

        assertThat(refusal(1000).code()).isEqualTo(FaultCode.DIRECTORY_LIMIT);
    }

    @Test
    void aFileWithTheMarkerCountsNothingHoweverLargeItIs() throws IOException {
        String marker = "# +argocd:skip-file-rendering\n";
        Files.writeString(app.resolve("a.yaml"), "#".repeat((64 << 10) - 10) + marker + OBJECT);
        Files.write(app.resolve("b.yaml"), ("\uFEFF" + OBJECT + marker).getBytes(StandardCharsets.UTF_16LE));
        Files.writeString(app.resolve("c.yaml"), OBJECT);

        DirectorySource.Contents contents = read(OBJECT.length());

        assertThat(contents.files()).extracting(DirectorySource.File::path).containsExactly("app/c.yaml");
        assertThat(contents.passedOver())
                .extracting(DirectorySource.PassedOver::path)
                .containsExactly("app/a.yaml", "app/b.yaml");
    }

    @Test
    void aLinkOutOfTheRepositoryIsRefusedInArgoCdsWords(@TempDir Path outside) throws IOException {
        Files.writeString(outside.resolve("secret.yaml"), OBJECT);
        Files.createSymbolicLink(app.resolve("a.yaml"), outside.resolve("secret.yaml"));

        assertThat(refusal(0))
                .hasMessageContaining("failed to get potentially valid manifests: invalid manifest file \"app/a.yaml\":"
                        + " illegal filepath in symlink at \"a.yaml\"");
    }

    @Test
    void aLinkedFolderOutsideIsNeverEntered(@TempDir Path outside) throws IOException {
        Files.writeString(outside.resolve("secret.yaml"), OBJECT);
        Files.createSymbolicLink(app.resolve("sub"), outside);

        assertThat(files()).isEmpty();
    }

    @Test
    void whatIsNoFileIsPassedOver() throws IOException, InterruptedException {
        Path pipe = app.resolve("pipe.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Files.createSymbolicLink(app.resolve("folder.yaml"), Path.of("../app"));

        DirectorySource.Contents contents = read(0);

        assertThat(contents.files()).isEmpty();
        assertThat(contents.passedOver())
                .extracting(DirectorySource.PassedOver::reason)
                .containsExactly("it is no file", "it is no file");
    }

    @Test
    void whatIsNoManifestIsPassedOverWithTheReason() throws IOException {
        Files.writeString(app.resolve("values.yaml"), "replicas: 3\n");

        DirectorySource.Contents contents = read(0);

        assertThat(contents.files()).isEmpty();
        assertThat(contents.passedOver())
                .singleElement()
                .extracting(DirectorySource.PassedOver::reason)
                .asString()
                .startsWith("it is no Kubernetes manifest: ")
                .contains("Object 'Kind' is missing")
                .doesNotContain("replicas");
    }

    @Test
    void allJsonnetFilesAreToldBeforeAnythingIsRead() throws IOException {
        Files.writeString(app.resolve("a.yaml"), "a: [\n" + OBJECT);
        Files.writeString(app.resolve("b.jsonnet"), "{}");
        Files.writeString(app.resolve("c.jsonnet"), "{}");

        Fault fault = refusal(0);

        assertThat(fault.code()).isEqualTo(FaultCode.SOURCE_NOT_YET);
        assertThat(fault.problems()).hasSize(2);
        assertThat(fault).hasMessageContaining("app/c.jsonnet is Jsonnet").hasMessageContaining("exclude: '*.jsonnet'");
    }

    @Test
    void textThatArgoCdDropsSilentlyIsTold() throws IOException {
        Files.writeString(app.resolve("a.yaml"), OBJECT + "...\n" + OBJECT);

        assertThat(read(0).warnings())
                .singleElement()
                .asString()
                .startsWith("app/a.yaml: ")
                .contains("silently drop");
    }

    @Test
    void patternsThatAreNoneAreTold() {
        var settings = new ApplicationSource.Directory(false, "[", "{[", true, false);

        assertThat(new DirectorySource(0).read(root, app, settings).warnings())
                .containsExactly(
                        "spec.source.directory.include \"[\" is no pattern, so no file is included",
                        "spec.source.directory.exclude \"{[\" is no pattern, so no file is excluded");
        assertThat(new DirectorySource(0)
                        .read(root, app, new ApplicationSource.Directory(false, "", "", true, false))
                        .warnings())
                .singleElement()
                .asString()
                .contains("every file is read");
    }

    @Test
    void namesWithLineBreaksQuotesAndOtherLettersAreReadAsTheyAre() throws IOException {
        for (String name : List.of("a\nb.yaml", "it's.yaml", "ünï+c ode%2F.yaml", "$(id).yaml", "-rf.yaml")) {
            Files.writeString(app.resolve(name), OBJECT);
        }

        assertThat(files()).containsExactly("app/$(id).yaml", "app/-rf.yaml", "app/it's.yaml", "app/ünï+c ode%2F.yaml");
    }

    @Test
    void bombsAreFaults() throws IOException {
        Files.writeString(app.resolve("a.json"), "[".repeat(100_000));
        assertThat(refusal(0)).hasMessageContaining("Failed to unmarshal \"a.json\"");
        Files.delete(app.resolve("a.json"));

        StringBuilder bomb = new StringBuilder(OBJECT + "a: &a [x,x,x,x,x,x,x,x,x,x]\n");
        for (char name = 'b'; name < 'k'; name++) {
            char before = (char) (name - 1);
            bomb.append(name)
                    .append(": &")
                    .append(name)
                    .append(" [")
                    .append(("*" + before + ",").repeat(10))
                    .append("]\n");
        }
        Files.writeString(app.resolve("b.yaml"), bomb);
        assertThat(refusal(0)).hasMessageContaining("b.yaml");
    }

    @Test
    void aFolderThatIsALinkHoldsNothingForArgoCd() throws IOException {
        Files.writeString(app.resolve("a.yaml"), OBJECT);
        Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("app"));

        DirectorySource.Contents contents = new DirectorySource(0).read(root, link, RECURSIVE);

        assertThat(contents.files()).isEmpty();
        assertThat(contents.warnings()).singleElement().asString().contains("is a link");
    }
}
