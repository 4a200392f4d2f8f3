package dev.remora.bench;

import com.google.protobuf.ByteString;
import dev.remora.wire.EnvEntry;
import dev.remora.wire.ManifestRequestMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;

/// One repository as it travels: the metadata message and the archive, kept in memory so that only the server is
/// measured.
@SuppressWarnings("ArrayRecordComponent") // large, and never compared
record Workload(String name, ManifestRequestMetadata metadata, byte[] archive) {
    private static final long SEED = 20260101;
    private static final int FILES_IN_A_FOLDER = 100;
    private static final int CHANGED = 10;
    private static final int GZIP_TIME_AT = 4;

    /// `files` files of `bytes` each, of text that gzip shrinks to about a third, beside one manifest.
    static Workload of(String name, int files, int bytes, Path scratch) throws IOException, InterruptedException {
        Path root = Files.createTempDirectory(scratch, "repository");
        Files.writeString(
                root.resolve("configmap.yaml"),
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bench\ndata:\n  key: value\n");
        var random = new Random(SEED);
        for (int i = 1; i < files; i++) {
            Path folder = Files.createDirectories(root.resolve("folder-" + i / FILES_IN_A_FOLDER));
            Files.write(folder.resolve("file-" + i + ".txt"), text(random, bytes));
        }
        Path archive = scratch.resolve(name.replace(' ', '-') + ".tar.gz");
        run("tar", "-C", root.toString(), "-czf", archive.toString(), ".");
        byte[] content = Files.readAllBytes(archive);
        return new Workload(name, metadata(content, 0), content);
    }

    /// The same with ten files changed: what a commit does to a repository.
    Workload withTenFilesChanged(Path scratch) throws IOException, InterruptedException {
        Path root = Files.createTempDirectory(scratch, "changed");
        Path before = scratch.resolve("before.tar.gz");
        Files.write(before, archive);
        run("tar", "-C", root.toString(), "-xzf", before.toString());
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(path -> path.toString().endsWith("0.txt"))
                    .sorted()
                    .limit(CHANGED)
                    .toList()) {
                Files.writeString(file, "changed\n");
            }
        }
        Path after = scratch.resolve("after.tar.gz");
        run("tar", "-C", root.toString(), "-czf", after.toString(), ".");
        byte[] content = Files.readAllBytes(after);
        return new Workload(name, metadata(content, 0), content);
    }

    /// The same files in another archive (only the time in gzip's header differs), which comes from repository
    /// `repository`.
    Workload again(int time, int repository) {
        byte[] other = archive.clone();
        for (int i = 0; i < Integer.BYTES; i++) {
            other[GZIP_TIME_AT + i] = (byte) (time >>> (Byte.SIZE * i));
        }
        return new Workload(name, metadata(other, repository), other);
    }

    private static ManifestRequestMetadata metadata(byte[] archive, int repository) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive);
            return ManifestRequestMetadata.newBuilder()
                    .setAppName(bytes("bench"))
                    .setAppRelPath(bytes("."))
                    .setChecksum(bytes(HexFormat.of().formatHex(digest)))
                    .setSize(archive.length)
                    .addEnv(variable("ARGOCD_APP_NAME", "bench"))
                    .addEnv(variable("ARGOCD_APP_PROJECT_NAME", "bench"))
                    .addEnv(variable("ARGOCD_APP_SOURCE_REPO_URL", "https://git.example.com/bench-" + repository))
                    .build();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EnvEntry variable(String name, String value) {
        return EnvEntry.newBuilder().setName(bytes(name)).setValue(bytes(value)).build();
    }

    /// Hexadecimal digits: each byte carries four bits.
    private static byte[] text(Random random, int bytes) {
        byte[] half = new byte[bytes / 2 + 1];
        random.nextBytes(half);
        return HexFormat.of().formatHex(half).substring(0, bytes).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + exit);
        }
    }
}
