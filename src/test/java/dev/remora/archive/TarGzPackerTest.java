package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsRoot;
import dev.remora.testing.NeedsTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rows of `docs/spec/archive.md`, section 2.
class TarGzPackerTest {
    @TempDir
    Path above;

    private Path folder;
    private final ByteArrayOutputStream packed = new ByteArrayOutputStream();

    @BeforeEach
    void makeApp() throws IOException {
        folder = Files.createDirectories(above.resolve("app"));
        Files.writeString(folder.resolve("README.md"), "read me");
        for (String name : List.of("latest", "stable")) {
            Files.createDirectories(folder.resolve("applicationset/" + name));
            Files.writeString(folder.resolve("applicationset/" + name + "/kustomization.yaml"), name);
        }
        Files.createSymbolicLink(folder.resolve("applicationset/readme-symlink"), Path.of("../README.md"));
    }

    private PackReport pack(String... excluded) throws IOException {
        Set<Bytes> names = Set.copyOf(Arrays.stream(excluded).map(Bytes::utf8).toList());
        return pack(names::contains);
    }

    private PackReport pack(PackSelection excluded) throws IOException {
        packed.reset();
        return TarGzPacker.pack(Bytes.utf8(folder.toString()), excluded, packed);
    }

    private List<String> names() {
        FakeSink sink = new FakeSink();
        try (TarGzUnpacker unpacker = new TarGzUnpacker(sink, ArchiveLimits.NONE)) {
            unpacker.accept(ByteBuffer.wrap(packed.toByteArray()));
            ArchiveReport _ = unpacker.finish();
        }
        return sink.names;
    }

    @Test
    void packsFilesDirectoriesAndLinksInTheOrderOfAWalk() throws IOException {
        PackReport report = pack();

        assertThat(report.files()).isEqualTo(3);
        assertThat(names())
                .containsExactly(
                        "README.md",
                        "applicationset/",
                        "applicationset/latest/",
                        "applicationset/latest/kustomization.yaml",
                        "applicationset/readme-symlink -> ../README.md",
                        "applicationset/stable/",
                        "applicationset/stable/kustomization.yaml");
    }

    @Test
    void leavesOutAFileButNotTheLinkToIt() throws IOException {
        PackReport report = pack("README.md");

        assertThat(report.files()).isEqualTo(2);
        assertThat(report.excluded()).isEqualTo(1);
        assertThat(names()).hasSize(6).contains("applicationset/readme-symlink -> ../README.md");
    }

    @Test
    void leavesOutADirectoryWithAllBelow() throws IOException {
        PackReport report = pack("README.md", "applicationset/latest");

        assertThat(report.files()).isEqualTo(1);
        assertThat(names()).hasSize(4).noneMatch(name -> name.contains("latest"));
    }

    @Test
    void isEmptyWhenTheRootIsExcluded() throws IOException {
        assertThat(pack(".").files()).isZero();
        assertThat(names()).isEmpty();
    }

    @Test
    void sortsByNamesNotByPaths() throws IOException {
        Files.createDirectories(folder.resolve("a/b"));
        Files.writeString(folder.resolve("a/b/c.yaml"), "1");
        Files.writeString(folder.resolve("a/b.txt"), "1");

        PackReport _ = pack();

        assertThat(names()).containsSubsequence("a/", "a/b/", "a/b/c.yaml", "a/b.txt");
    }

    @Test
    void sumsUpWhatItWrote() throws Exception {
        PackReport report = pack();

        byte[] sum = MessageDigest.getInstance("SHA-256").digest(packed.toByteArray());
        assertThat(report.sha256()).isEqualTo(HexFormat.of().formatHex(sum));
        assertThat(report.compressed()).isEqualTo(packed.size());
    }

    @Test
    void packsTheSameTwiceAlike() throws IOException {
        String first = pack().sha256();

        assertThat(pack().sha256()).isEqualTo(first);
    }

    @Test
    @NeedsTool("mkfifo")
    void skipsNamedPipesAndKeepsHiddenFilesAndEmptyDirectories() throws Exception {
        new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start().waitFor();
        Files.createDirectories(folder.resolve(".git/refs"));
        Files.writeString(folder.resolve(".git/HEAD"), "1");

        PackReport report = pack();

        assertThat(report.skipped()).isEqualTo(1);
        assertThat(names()).contains(".git/", ".git/HEAD", ".git/refs/").doesNotContain("pipe");
    }

    @Test
    void packsOnlyALinkWhenTheRootIsOne() throws IOException {
        Files.createSymbolicLink(above.resolve("link"), folder);

        PackReport report = TarGzPacker.pack(Bytes.utf8(above.resolve("link").toString()), name -> false, packed);

        assertThat(report.files()).isZero();
        assertThat(names()).isEmpty();
    }

    @Test
    void saysThatTheRootIsMissing() {
        assertThatThrownBy(() -> TarGzPacker.pack(Bytes.utf8(above.resolve("no").toString()), name -> false, packed))
                .isInstanceOf(Fault.class)
                .hasMessage("error inspecting srcPath " + above.resolve("no") + ": no such file or directory");
    }

    @Test
    void packsNamesThatUstarCannotHold() throws IOException {
        String deep = "d".repeat(60) + "/" + "e".repeat(60) + "/" + "f".repeat(60);
        String longName = "n".repeat(200);
        Files.createDirectories(folder.resolve(deep));
        Files.writeString(folder.resolve(deep + "/file"), "deep");
        Files.writeString(folder.resolve(longName), "long");
        Files.writeString(folder.resolve("grün"), "green");
        Files.createSymbolicLink(folder.resolve("far"), Path.of("t/".repeat(100)));

        PackReport report = pack();

        assertThat(report.files()).isEqualTo(6);
        assertThat(names()).contains(deep + "/file", longName, "grün", "far -> " + "t/".repeat(99) + "t");
    }

    @Test
    @NeedsTool("tar")
    void isReadByTar() throws Exception {
        Files.writeString(folder.resolve("n".repeat(200)), "long");
        Files.writeString(folder.resolve("big"), "1".repeat(300_000));
        PackReport _ = pack();
        Path archive = Files.write(above.resolve("a.tgz"), packed.toByteArray());
        Path into = Files.createDirectories(above.resolve("into"));

        Process tar = new ProcessBuilder("tar", "xzf", archive.toString(), "-C", into.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tar.waitFor()).as(output).isZero();
        assertThat(Unpacked.tree(into)).isEqualTo(Unpacked.tree(folder));
    }

    @Test
    @NeedsTool("tar")
    void unpacksWhatTarPacked() throws Exception {
        Files.writeString(folder.resolve("n".repeat(200)), "long");
        Path into = Files.createDirectories(above.resolve("into"));
        for (String format : List.of("gnu", "pax", "ustar", "v7", "oldgnu")) {
            if (format.equals("ustar") || format.equals("v7")) {
                Files.deleteIfExists(folder.resolve("n".repeat(200)));
            }
            Path archive = above.resolve(format + ".tgz");
            new ProcessBuilder("tar", "czf", archive.toString(), "--format=" + format, "-C", folder.toString(), ".")
                    .start()
                    .waitFor();
            Path target = Files.createDirectories(into.resolve(format));

            Unpacked unpacked = Unpacked.into(target, Files.readAllBytes(archive), UnpackOptions.DEFAULT);

            assertThat(unpacked.tree()).as(format).isEqualTo(Unpacked.tree(folder));
        }
    }

    @Test
    @NeedsRoot
    void saysWhatMayNotBeRead() throws Exception {
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(folder.resolve("README.md"), PosixFilePermissions.fromString("---------"));

        ChildJvm.Result result = new ChildJvm().unprivileged().run(Packing.class, folder.toString());

        assertThat(result.output())
                .isEqualTo(FaultCode.ARCHIVE_PACKING
                        + " error creating app tgz file: README.md: open README.md: permission denied\n");
    }

    static final class Packing {
        private Packing() {}

        public static void main(String[] args) throws IOException {
            try {
                PackReport report = TarGzPacker.pack(Bytes.utf8(args[0]), name -> false, new ByteArrayOutputStream());
                System.out.println(report);
            } catch (Fault e) {
                System.out.println(e.code() + " " + e.getMessage());
            }
        }
    }
}
