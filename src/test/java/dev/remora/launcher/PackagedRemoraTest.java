package dev.remora.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.remora.launcher.Shell.Ended;
import dev.remora.testing.FakeCollector;
import dev.remora.testing.NeedsRoot;
import dev.remora.testing.NeedsTool;
import dev.remora.testing.Tools;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `remora package`: made once with `./remora`, then copied about and run as in someone else's image.
class PackagedRemoraTest {
    private static final long LARGEST_BYTES = 90_000_000;
    private static final int OLDEST_GLIBC = 34;
    private static final String SHELL = "/bin/sh";

    @TempDir
    static Path folder;

    private static Path made;
    private static Ended making;

    @BeforeAll
    static void make() throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        made = folder.resolve("made");
        Shell shell = new Shell(Path.of("").toAbsolutePath(), System.getenv());
        making = shell.run("./remora", "package", "--output-dir", made);
        assertThat(making.exit()).as(making.err()).isZero();
    }

    @Test
    void trainsTheStartCacheWithACompleteRehearsal() {
        assertThat(making.err()).contains("training the start cache").doesNotContain("not complete");
    }

    @Test
    void isSmallEnoughToCopyIntoEveryPod() throws IOException {
        long size = 0;
        for (Path file : files(made)) {
            size += Files.size(file);
        }
        assertThat(size).isLessThan(LARGEST_BYTES);
    }

    /// What the dynamic linker will ask for, as binutils read it.
    @Test
    @NeedsTool("readelf")
    void runsOnSystemsThatHaveGlibc234() throws Exception {
        assumeFalse(
                making.err().contains("this JDK needs glibc"),
                "the JDK that made the package needs a newer glibc itself");
        List<Path> natives =
                files(made).stream().filter(PackagedRemoraTest::isElf).toList();
        assertThat(natives)
                .extracting(file -> file.getFileName().toString())
                .contains("java", "libjvm.so", "libnio.so");
        for (Path file : natives) {
            Ended ended = new Shell(folder, Map.of()).run(Tools.find("readelf").orElseThrow(), "-W", "-V", file);
            assertThat(ended.exit()).as(ended.err()).isZero();
            Matcher version = Pattern.compile("Name: GLIBC_2\\.(\\d+)").matcher(ended.out());
            assertThat(version.results().map(found -> Integer.valueOf(found.group(1))))
                    .as("%s", file)
                    .isNotEmpty()
                    .allMatch(minor -> minor <= OLDEST_GLIBC);
        }
    }

    private static boolean isElf(Path file) {
        try (InputStream start = Files.newInputStream(file)) {
            return Arrays.equals(start.readNBytes(4), new byte[] {0x7f, 'E', 'L', 'F'});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The parts of libraries that only some settings enter are in the package.
    @Test
    void servesCallsReflectionMetricsAndTraces() throws Exception {
        try (FakeCollector collector = FakeCollector.start(Status.OK);
                PackagedServer server = PackagedServer.start(made, plugin(), collector.address())) {
            Ended ended = new Shell(folder, Map.of())
                    .run(
                            made.resolve("bin/remora"),
                            "render",
                            app(),
                            "--plugin",
                            "unix:" + server.socket(),
                            "-o",
                            "name");

            assertThat(ended.out()).as(ended.err()).isEqualTo("configmap/greeting\nservice/greeting\n");
            assertThat(server.services()).contains("plugin.ConfigManagementPluginService", "grpc.health.v1.Health");
            assertThat(server.scrape()).contains("remora_answered_bytes_count");
            assertThat(collector.take().message()).contains("plugin.generateManifestGeneric");
        }
    }

    @Test
    @NeedsRoot
    void runsAsUser999FromAReadOnlyCopyWithAnEmptyEnvironment() throws Exception {
        Path copy = copied("else where");
        new Shell(folder, Map.of()).run("/bin/chmod", "-R", "a-w", copy);

        Path app = app();
        // Without a PATH a command is found by its whole path alone.
        Path definition = folder.resolve("absolute.yaml");
        Files.writeString(definition, Files.readString(plugin()).replace("command: [sh", "command: [/bin/sh"));
        // The work folder below /tmp may be another user's here.
        Path work = Files.createDirectory(folder.resolve("work"));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));

        Ended ended = asUser999(
                copy.resolve("bin/remora"), "render", app, "--plugin", definition, "-o", "name", "--workdir", work);

        assertThat(ended.err()).doesNotContain("rror");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEqualTo("configmap/greeting\nservice/greeting\n");
    }

    /// Names are written as bytes in the script, so that this test does not depend on its own locale. The program lies
    /// in a folder whose name is no text at all.
    @Test
    void namesFilesBeyondAsciiWhereTheLocaleIsPosix() throws Exception {
        Path base = Files.createTempDirectory("pl"); // short: a socket's path may have 107 bytes
        Path script = Files.writeString(base.resolve("script"), """
                set -eu
                d=$(printf '%s/d\\303\\244' "$1"); tools=$(printf '%s/t\\377' "$1"); name=$(printf 'k\\303\\244')
                mkdir "$d" "$d/config" "$d/s" "$d/work" "$d/app" "$tools"
                {
                  echo '#!/bin/sh'
                  echo 'echo "{apiVersion: v1, kind: X, metadata: {name: a},' \
                    'locale: \\"${LC_ALL-unset}\\", before: \\"${REMORA_LOCALE_BEFORE-unset}\\"}"'
                } >"$tools/odd-tool"
                chmod +x "$tools/odd-tool"
                printf 'kind: ConfigManagementPlugin\\nmetadata: {name: "%s"}\\nspec: {generate: {command: [odd-tool]}}\\n' \
                  "$name" >"$d/config/plugin.yaml"
                echo 'a: 1' >"$d/app/a.yaml"
                PATH="$tools:$PATH"; export PATH
                ARGOCD_PLUGINSOCKFILEPATH="$d/s" ARGOCD_CMP_WORKDIR="$d/work" \
                  "$2" serve --config-dir-path "$d/config" >"$1/log" 2>&1 &
                server=$!
                i=0
                until [ -S "$d/s/$name.sock" ]; do
                  i=$((i + 1)); [ $i -lt 600 ] && kill -0 $server || { cat "$1/log"; exit 1; }
                  sleep 0.1
                done
                "$2" render "$d/app" --plugin "unix:$d/s/$name.sock" --workdir "$d/work" -o json || status=$?
                "$2" render "$d/app" --plugin "$d/config" --workdir "$d/work" -o json || status=$?
                kill $server; wait $server || true
                exit ${status:-0}
                """);
        for (Map<String, String> environment :
                List.of(Map.of("PATH", "/usr/bin:/bin", "LC_ALL", "C"), Map.of("PATH", "/usr/bin:/bin"))) {
            Path place = Files.createDirectory(base.resolve("p" + environment.size()));

            Ended ended = new Shell(folder, environment).run(SHELL, script, place, made.resolve("bin/remora"));

            assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
            String locale = environment.getOrDefault("LC_ALL", "unset");
            assertThat(ended.out().replaceAll("\\s", "").split("\"locale\":\"" + locale + "\"", -1))
                    .as(ended.out())
                    .hasSize(3);
            assertThat(ended.out()).doesNotContain("C.UTF-8");
        }
    }

    @Test
    void usesItsStartCacheWhereverItIs() throws Exception {
        Path copy = copied("moved");
        Shell shell = new Shell(folder, Map.of("REMORA_JAVA_OPTS", "-Xlog:aot=info:stderr"));

        Ended ended = shell.run(copy.resolve("bin/remora"), "version");

        assertThat(ended.err()).contains("Using AOT-linked classes: true");
        assertThat(ended.exit()).isZero();
    }

    @Test
    void runsThroughALinkAndFromAnyFolder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("linked"), made.resolve("bin/remora"));

        Ended ended = new Shell(Path.of("/"), Map.of()).run(SHELL, "-c", link + " version");

        assertThat(ended.out()).startsWith("remora ");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void copiesItselfForAnInitContainer() throws Exception {
        Path target = folder.resolve("shared");

        Ended copying = new Shell(folder, Map.of()).run(made.resolve("bin/remora"), "package", "--output-dir", target);

        assertThat(copying.exit()).as(copying.err()).isZero();
        assertThat(names(target)).isEqualTo(names(made));
        assertThat(new Shell(folder, Map.of())
                        .run(target.resolve("bin/remora"), "version")
                        .exit())
                .isZero();
    }

    @Test
    void replacesAFormerPackageBecauseInitContainersRunAgain() throws Exception {
        Path target = folder.resolve("again");
        Shell shell = new Shell(folder, Map.of());
        shell.run(made.resolve("bin/remora"), "package", "--output-dir", target);
        Files.writeString(target.resolve("app/left over"), "from the former one");

        Ended again = shell.run(made.resolve("bin/remora"), "package", "--output-dir", target);

        assertThat(again.exit()).as(again.err()).isZero();
        assertThat(names(target)).isEqualTo(names(made));
    }

    @Test
    void refusesAFolderThatIsTaken() throws Exception {
        Path taken = Files.createDirectory(folder.resolve("taken"));
        Files.writeString(taken.resolve("mine"), "keep");

        Ended ended = new Shell(folder, Map.of()).run(made.resolve("bin/remora"), "package", "--output-dir", taken);

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains(taken + " exists");
        assertThat(taken.resolve("mine")).hasContent("keep");
    }

    private static Ended asUser999(Object... command) throws IOException, InterruptedException {
        var words = Stream.concat(
                Stream.of("/usr/bin/setpriv", "--reuid=999", "--regid=999", "--clear-groups"), Stream.of(command));
        return new Shell(Path.of("/"), Map.of()).run(words.toArray());
    }

    private static Path copied(String name) throws IOException, InterruptedException {
        Path copy = folder.resolve(name);
        // Not "cp -a": an init container's cp may not keep times.
        assertThat(new Shell(folder, Map.of()).run("/bin/cp", "-r", made, copy).exit())
                .isZero();
        return copy;
    }

    /// User 999 may not enter the checkout, so the example is copied to where it may.
    private static Path app() throws IOException, InterruptedException {
        Path example = folder.resolve("plain");
        if (Files.notExists(example)) {
            Path source = Path.of("examples/plain").toAbsolutePath();
            new Shell(folder, Map.of()).run("/bin/cp", "-r", source, example);
            new Shell(folder, Map.of()).run("/bin/chmod", "-R", "a+rX", example);
        }
        return example.resolve("app");
    }

    private static Path plugin() {
        return folder.resolve("plain/plugin.yaml");
    }

    private static List<String> names(Path root) {
        return files(root).stream()
                .map(file -> root.relativize(file).toString())
                .toList();
    }

    private static List<Path> files(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
