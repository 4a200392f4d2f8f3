package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cache under several processes, crashes, and its bound.
@NeedsTool("git")
class SharedCacheTest {
    private static final int MANY = 100_000; // of one content, so that only their number counts
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    @TempDir
    private Path root;

    @Test
    void twoProcessesShareOneCache() throws Exception {
        SourceRepository source = SourceRepository.in(root.resolve("served/app.git"));
        source.write("large", "x".repeat(2_000_000)).commit("first");
        try (GitHttpServer server = GitHttpServer.start(root.resolve("served"));
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<ChildJvm.Result>> children = new ArrayList<>();
            for (String name : List.of("one", "two")) {
                children.add(threads.submit(() -> new ChildJvm()
                        .run(
                                FetchProcess.class,
                                root.resolve(name).toString(),
                                root.resolve("cache").toString(),
                                server.url("app.git"))));
            }
            for (Future<ChildJvm.Result> child : children) {
                assertThat(child.get().output()).contains("1 files");
                assertThat(child.get().exit()).isZero();
            }
            assertThat(server.requests().stream().filter(request -> request.startsWith("POST")))
                    .as("each lists the refs, one fetches: in protocol 2 a list is one POST, a fetch two")
                    .hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void aKilledProcessLeavesNothingThatHinders() throws Exception {
        SourceRepository source = SourceRepository.in(root.resolve("served/app.git"));
        byte[] noise = new byte[3_000_000];
        new java.util.Random(5).nextBytes(noise);
        Files.write(source.folder().resolve("large"), noise);
        source.commit("first");
        Path cache = root.resolve("cache");
        try (GitHttpServer server = GitHttpServer.start(root.resolve("served"))) {
            try (CuttingProxy proxy = CuttingProxy.stalling(server.port(), 600_000)) {
                String url = "http://127.0.0.1:" + proxy.port() + "/app.git";
                Process child = start(cache, url);
                await(() -> !temporaryPacks(cache).isEmpty());
                child.destroyForcibly().waitFor();
            }
            Path packs = folderIn(cache).resolve("repo/objects/pack");
            Files.writeString(packs.resolve("tmp_pack_left"), "x");
            Files.writeString(packs.resolve("../../shallow.lock"), "");

            try (CuttingProxy proxy = CuttingProxy.start(server.port(), Integer.MAX_VALUE)) {
                moveTo(cache, "http://127.0.0.1:" + proxy.port() + "/app.git");
                try (GitRun git = GitRun.in(root)) {
                    git.layOut("http://127.0.0.1:" + proxy.port() + "/app.git", "main");

                    assertThat(git.folder().resolve("large")).hasBinaryContent(noise);
                }
            }
            assertThat(temporaryPacks(cache)).isEmpty();
        }
    }

    /// Renames the one repository of the cache to where another URL's is kept.
    private static void moveTo(Path cache, String url) throws IOException {
        Path wanted = new RepositoryCache(cache, 0).folder(url);
        Files.move(folderIn(cache), wanted);
    }

    private static Path folderIn(Path cache) throws IOException {
        try (Stream<Path> all = Files.list(cache.resolve("v1"))) {
            return all.findFirst().orElseThrow();
        }
    }

    private Process start(Path cache, String url) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FetchProcess.class.getName(),
                        root.resolve("killed").toString(),
                        cache.toString(),
                        url)
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("killed.log").toFile())
                .start();
    }

    private static List<Path> temporaryPacks(Path cache) throws IOException {
        if (!Files.exists(cache)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(cache)) {
            return all.filter(file -> file.getFileName().toString().startsWith("tmp_"))
                    .toList();
        } catch (java.io.UncheckedIOException vanished) {
            return List.of();
        }
    }

    @FunctionalInterface
    private interface Question {
        boolean ask() throws IOException;
    }

    private static void await(Question question) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!question.ask()) {
            assertThat(System.nanoTime() - end).as("patience").isNegative();
            Thread.sleep(20);
        }
    }

    @Test
    void removesTheRepositoryThatWasUsedLongestAgo() throws IOException {
        List<SourceRepository> sources = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            SourceRepository source = SourceRepository.in(root.resolve(name));
            byte[] noise = new byte[400_000];
            new java.util.Random(name.hashCode()).nextBytes(noise);
            Files.write(source.folder().resolve("f"), noise);
            source.commit("first");
            sources.add(source);
        }
        long age = 100;
        for (SourceRepository source : sources) {
            try (GitRun git = GitRun.in(root, options -> options.withCache(root.resolve("cache"), 1_000_000))) {
                git.layOut(source.url(), "main");
            }
            Path folder = new RepositoryCache(root.resolve("cache"), 0).folder(source.url());
            age -= 10;
            if (Files.exists(folder)) {
                Files.setLastModifiedTime(
                        folder.resolve("url"), FileTime.fromMillis(System.currentTimeMillis() - age * 1000));
            }
        }

        RepositoryCache cache = new RepositoryCache(root.resolve("cache"), 0);
        assertThat(cache.folder(sources.get(0).url())).doesNotExist();
        assertThat(cache.folder(sources.get(1).url())).exists();
        assertThat(cache.folder(sources.get(2).url())).exists();
    }

    @Test
    void fetchesAnewWhatTurnsOutToBeBroken() throws IOException {
        SourceRepository source = SourceRepository.in(root.resolve("source"));
        source.write("f", "1").commit("first");
        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");
        }
        try (Stream<Path> all = Files.walk(root.resolve("cache"))) {
            for (Path pack :
                    all.filter(file -> file.toString().endsWith(".pack")).toList()) {
                Files.delete(pack);
            }
        }
        FileTree.remove(root.resolve("tree"));
        FileTree.remove(root.resolve("state"));

        try (GitRun git = GitRun.in(root)) {
            git.layOut(source.url(), "main");

            assertThat(git.folder().resolve("f")).hasContent("1");
        }
    }

    @Test
    void staysUsableOverManyCommits() {
        SourceRepository source = SourceRepository.in(root.resolve("source"));
        for (int i = 0; i < 60; i++) {
            source.git("commit", "-q", "--allow-empty", "-m", "c" + i);
        }
        List<String> commits = source.git("rev-list", "HEAD").lines().toList();
        Path repository = new RepositoryCache(root.resolve("cache"), 0)
                .folder(source.url())
                .resolve("repo");
        for (int run = 0; run < 2; run++) {
            try (GitRun git = GitRun.in(root)) {
                for (String commit : commits.subList(run * 30, run * 30 + 30)) {
                    assertThat(git.tree(source.url(), commit).commit()).contains(new CommitId(commit));
                }
            }
        }

        assertThat(RepositoryStore.packs(repository)).isLessThanOrEqualTo(42);
    }

    @Test
    void laysOutAHundredThousandFiles() {
        SourceRepository source = SourceRepository.in(root.resolve("source"));
        StringBuilder stream = new StringBuilder("blob\nmark :1\ndata 2\nx\n\n");
        stream.append("commit refs/heads/main\ncommitter A <a@example.com> 0 +0000\ndata 0\n");
        for (int i = 0; i < MANY; i++) {
            stream.append("M 100644 :1 d")
                    .append(i / 1000)
                    .append("/f")
                    .append(i)
                    .append('\n');
        }
        stream.append("\ncommit refs/heads/next\ncommitter A <a@example.com> 0 +0000\ndata 0\nfrom refs/heads/main\n");
        stream.append("M 100644 :1 added\n\n");
        source.gitWithInput(stream.toString(), "fast-import", "--quiet");

        try (GitRun git = GitRun.in(root)) {
            assertThat(git.layOut(source.url(), "main").files()).isEqualTo(MANY);
            assertThat(git.layOut(source.url(), "next").files()).isEqualTo(MANY + 1);
            assertThat(git.folder().resolve("added")).exists();
            assertThat(git.folder().resolve("d99/f99999")).exists();
        }
    }
}
