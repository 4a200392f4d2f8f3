package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.archive.PackReport;
import dev.remora.archive.PackedFile;
import dev.remora.posix.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rows of `docs/spec/archive.md`, section 5.
class SendScopeTest {
    @TempDir
    Path root;

    private final ByteArrayOutputStream packed = new ByteArrayOutputStream();

    @BeforeEach
    void makeRepository() throws IOException {
        for (String file : List.of(
                "top.yaml",
                "services/helloworld/app.yaml",
                "services/helloworld/more/x.yaml",
                "services/other/o.yaml",
                "services/shared/a-secret.yaml",
                "services/shared/b.yaml",
                "services/team/helloworld/manifests/m.yaml",
                "overlays/prod.yaml",
                "a/b/c/app.yaml",
                "a/x/x.yaml")) {
            Path path = root.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, file);
        }
        Files.createSymbolicLink(root.resolve("shared"), Path.of("services/shared"));
    }

    private SourceFolder whole(String... exclusions) {
        return new SourceFolder(Bytes.utf8(root.toString()), List.of(exclusions));
    }

    @ParameterizedTest
    @CsvSource({
        "services/helloworld, '.', services/helloworld, .",
        "services/helloworld, '../../overlays;.', '', services/helloworld",
        "services/helloworld, '/services;.', services, helloworld",
        "services/helloworld, '../*', services, helloworld",
        "services/helloworld, '/services/shared/*-secret.yaml', services, helloworld",
        "services/helloworld, '//services/shared/*-secret.yaml', services, helloworld",
        "services/helloworld, '', '', services/helloworld",
        "services/helloworld, ';;', '', services/helloworld",
        "services/team/helloworld, '../../;..;.', services, team/helloworld",
        "services/team/helloworld, './manifests', services/team/helloworld, .",
        // Not trimmed: the blank makes it a folder within the application's.
        "services/helloworld, '.; ../shared', services/helloworld, .",
        // The order counts once two places have parted.
        "a/b/c, '/a/x;/', a, b/c",
        "a/b/c, '/;/a/x', '', a/b/c",
        // Links are followed, and nothing is above the root.
        "services/helloworld, '/shared', services, helloworld",
        "services/helloworld, '../../../../services', services, helloworld",
        "./services//helloworld/, '.', services/helloworld, .",
    })
    void narrowsToTheDeepestCommonFolderAsArgoCdDoes(String application, String paths, String folder, String below) {
        SendScope.Narrowed narrowed = new SendScope.Annotation(paths).narrow(whole("*.md"), Bytes.utf8(application));

        Path expected = folder.isEmpty() ? root : root.resolve(folder);
        assertThat(narrowed.folder().root()).hasToString(expected.toString());
        assertThat(narrowed.application()).hasToString(below);
        assertThat(narrowed.folder().exclusions()).containsExactly("*.md");
    }

    @Test
    void exclusionsCountFromTheNarrowedFolder() throws IOException {
        SendScope.Narrowed narrowed =
                new SendScope.Annotation("../shared").narrow(whole("shared/b.yaml"), Bytes.utf8("services/helloworld"));

        assertThat(files(narrowed.folder()))
                .contains("shared/a-secret.yaml", "helloworld/app.yaml")
                .doesNotContain("shared/b.yaml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".                          | services/helloworld/app.yaml services/helloworld/more/x.yaml",
                "more                       | services/helloworld/more/x.yaml",
                ". ; ../other               | services/helloworld/app.yaml services/helloworld/more/x.yaml services/other/o.yaml",
                "/services/shared/*-secret.yaml | services/shared/a-secret.yaml",
                "/*.yaml                    | top.yaml",
                "../../overlays;/a/x/x.yaml | a/x/x.yaml overlays/prod.yaml",
                "/nowhere;more              | services/helloworld/more/x.yaml",
            })
    void sendsOnlyWhatIsListed(String paths, String expected) throws IOException {
        SendScope.Narrowed narrowed = new SendScope.Listed(paths).narrow(whole(), Bytes.utf8("services/helloworld"));

        assertThat(narrowed.application()).hasToString("services/helloworld");
        assertThat(narrowed.folder().root()).hasToString(root.toString());
        assertThat(files(narrowed.folder())).containsExactly(expected.split(" "));
        assertThat(names(narrowed.folder())).contains("services", "services/helloworld");
    }

    @Test
    void sendsALinkOnTheWayAndWhatItLeadsTo() throws IOException {
        SendScope.Narrowed narrowed =
                new SendScope.Listed("/shared/b.yaml").narrow(whole(), Bytes.utf8("services/helloworld"));

        assertThat(names(narrowed.folder())).contains("shared", "services/shared/b.yaml");
        assertThat(files(narrowed.folder())).containsExactly("services/shared/b.yaml");
    }

    @Test
    void listsAllWhereNothingIsListedOrTheRootIs() throws IOException {
        List<String> all = files(whole());
        assertThat(all).hasSize(10);
        for (String paths : List.of("", " ; ", "/", "../..")) {
            SendScope.Narrowed narrowed =
                    new SendScope.Listed(paths).narrow(whole(), Bytes.utf8("services/helloworld"));
            assertThat(files(narrowed.folder())).isEqualTo(all);
        }
    }

    @Test
    void exclusionsHoldForWhatIsListedToo() throws IOException {
        SendScope.Narrowed narrowed =
                new SendScope.Listed(".").narrow(whole("services/helloworld/more"), Bytes.utf8("services/helloworld"));
        assertThat(files(narrowed.folder())).containsExactly("services/helloworld/app.yaml");
    }

    @Test
    void leavesAPathOutsideTheFolderToWhoOpensIt() {
        for (SendScope scope : List.of(new SendScope.Annotation("."), new SendScope.Listed("."))) {
            SendScope.Narrowed narrowed = scope.narrow(whole(), Bytes.utf8("../out"));
            assertThat(narrowed.folder()).isEqualTo(whole());
            assertThat(narrowed.application()).hasToString("../out");
        }
    }

    @Test
    void measuresWhatWouldBeSent() throws IOException {
        Files.writeString(root.resolve("big.bin"), "x".repeat(5_000));

        PackReport report = whole("services", "a/*").measure();

        assertThat(report.files()).isEqualTo(3);
        assertThat(report.content()).isEqualTo(5_000 + "overlays/prod.yaml".length() + "top.yaml".length());
        assertThat(report.biggest())
                .containsExactly(
                        new PackedFile(Bytes.utf8("big.bin"), 5_000),
                        new PackedFile(Bytes.utf8("overlays/prod.yaml"), 18),
                        new PackedFile(Bytes.utf8("top.yaml"), 8));
        assertThat(report.leftOut()).extracting(Bytes::toString).containsExactly("a/b", "a/x", "services");
        assertThatThrownBy(() -> whole("*").pack(packed)).hasMessageContaining("no files to send(" + root + ")");
    }

    private List<String> files(SourceFolder folder) throws IOException {
        return names(folder).stream().filter(name -> name.contains(".")).toList();
    }

    /// The names in the archive, without `.`.
    private List<String> names(SourceFolder folder) throws IOException {
        packed.reset();
        PackReport _ = folder.pack(packed);
        byte[] tar = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
        List<String> names = new java.util.ArrayList<>();
        for (int at = 0; at + 512 <= tar.length && tar[at] != 0; ) {
            String name = new String(tar, at, 100, StandardCharsets.UTF_8).split("\0", 2)[0];
            if (!name.equals(".")) {
                names.add(name);
            }
            long size = Long.parseLong(
                    new String(tar, at + 124, 12, StandardCharsets.US_ASCII).split("\0", 2)[0].strip(), 8);
            at += 512 + (int) ((size + 511) / 512 * 512);
        }
        return names.stream().sorted().toList();
    }
}
