package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsLandlock;
import dev.remora.testing.NeedsRoot;
import dev.remora.testing.NeedsTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class DoctorCommandTest {
    /// Made for this test; it opens nothing.
    private static final String AGE_KEY = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ";

    private static final List<String> TOOLS = List.of("git", "kapitan", "helm", "kustomize", "sops", "cue", "gpg");

    @TempDir
    private Path folder;

    private Path bin;

    @BeforeEach
    void makeTools() throws IOException {
        bin = Files.createDirectory(folder.resolve("bin"));
        tool("git", "echo git version 2.47.1");
        tool("kapitan", "echo 0.36.3");
        tool("helm", "echo v3.21.0+g1234567");
        tool("kustomize", "echo v5.8.2");
        tool("sops", "echo 'sops 3.11.0 (latest)'; test \"$SOPS_DISABLE_VERSION_CHECK\" = true");
        tool("cue", "echo cue version v0.15.1");
        tool("gpg", "printf 'gpg (GnuPG) 2.2.40\\nlibgcrypt 1.10.1\\n'");
        key(folder.resolve("home/.config/sops/age/keys.txt"), "rw-------");
    }

    private void tool(String name, String line) throws IOException {
        Path program = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path key(Path file, String mode) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "# public key: age1qqqqqqqqqqqqqqqqqqqqqqqqq\n" + AGE_KEY + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private FakeConsole console() {
        return new FakeConsole(folder)
                .with("TMPDIR", folder.toString())
                .with("HOME", folder.resolve("home").toString())
                .with("PATH", bin.toString());
    }

    @Test
    @NeedsLandlock
    void findsNothingWrongWhereAllIsThere() {
        FakeConsole console = console();

        assertThat(console.run("doctor")).as(console.out()).isZero();
        assertThat(console.out())
                .contains("ok    system", "ok    signals            a signal to another's process was refused")
                .contains("ok    sandbox            files and sockets can be fenced")
                .contains("ok    git                2.47.1, " + bin + "/git\n")
                .contains("ok    kapitan            0.36.3, " + bin + "/kapitan\n")
                .contains("ok    helm               3.21.0+g1234567, " + bin + "/helm\n")
                .contains("ok    gpg                2.2.40, " + bin + "/gpg\n")
                .contains("ok    age key            1 key in " + folder
                        + "/home/.config/sops/age/keys.txt (age1qqqqqq…)\n")
                .contains("ok    work folder        " + folder + " is writable")
                .contains("ok    cache              0 repositories, 0 MiB of at most 10.0 GiB in " + folder
                        + "/home/.cache/remora\n")
                .endsWith("0 failed checks, 0 warnings, 22 ok\n")
                .doesNotContain("→")
                .doesNotContain(AGE_KEY);
    }

    @Test
    void everyFindingEndsInWhatRepairsIt() throws IOException {
        for (String name : TOOLS) {
            Files.delete(bin.resolve(name));
        }
        tool("git", "echo git version 2.30.2");
        tool("helm", "echo broken >&2; exit 3");
        tool("sops", "echo sops 3.11.0");
        FakeConsole console = console()
                .with("SOPS_AGE_KEY_FILE", folder.resolve("absent").toString())
                .with("GNUPGHOME", folder.resolve("bin/git").toString())
                .with("XDG_CACHE_HOME", folder.resolve("bin/git/cache").toString())
                .with("ARGOCD_CMP_WORKDIR", folder.resolve("none").toString());

        assertThat(console.run("doctor")).isEqualTo(1);
        assertThat(console.out())
                .contains("FAIL  git                2.30.2, " + bin
                        + "/git; 2.36 or newer is needed → install a newer git\n")
                .contains("WARN  helm               " + bin
                        + "/helm does not tell its version: exit status 3, broken → try it: helm version --short\n")
                .contains("WARN  cue                not on PATH; only cue plugins need it → go install ")
                .contains("FAIL  age key            " + folder
                        + "/absent is not there → mount the key there, or correct SOPS_AGE_KEY_FILE\n")
                .contains("FAIL  gpg keys           " + bin
                        + "/git is no folder → mount the keyring there, or correct GNUPGHOME\n")
                .contains("FAIL  work folder        " + folder
                        + "/none is no folder → mount a volume there, or name another by ARGOCD_CMP_WORKDIR\n")
                .containsPattern("FAIL {2}cache {14}.* cannot be written by this user → .* XDG_CACHE_HOME");
        assertThat(console.out().lines().filter(line -> line.startsWith("WARN") || line.startsWith("FAIL")))
                .allMatch(line -> line.contains(" → "))
                .hasSizeGreaterThanOrEqualTo(9);
    }

    @Test
    void warnsWhereSopsHasNoKey() throws IOException {
        Files.delete(folder.resolve("home/.config/sops/age/keys.txt"));
        FakeConsole console = console();

        assertThat(console.run("doctor")).as(console.out()).isIn(0, 1);
        assertThat(console.out()).contains("WARN  keys ").contains(" → mount the key and name it: SOPS_AGE_KEY_FILE=");

        Files.delete(bin.resolve("sops"));
        assertThat(console.run("doctor")).isIn(0, 1);
        assertThat(console.out()).as("nobody to use one").doesNotContain("WARN  keys ");
    }

    @Test
    void aFileWithoutAKeyFails() throws IOException {
        Path file = Files.writeString(folder.resolve("keys.txt"), "age1qqqqqqqqqqqqqqqqqqqqqqqqq\n");
        FakeConsole console = console().with("SOPS_AGE_KEY_FILE", file.toString());

        assertThat(console.run("doctor")).isEqualTo(1);
        assertThat(console.out()).contains(file + " holds no line AGE-SECRET-KEY-1… → make one: age-keygen -o " + file);
    }

    @Test
    @NeedsRoot
    void aKeyThatThisUserMayNotReadFails() throws Exception {
        for (Path place : List.of(folder, folder.resolve("home"), bin)) {
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path file = key(folder.resolve("mine.txt"), "rw-------");

        ChildJvm.Result told = new ChildJvm()
                .unprivileged()
                .environment(
                        Map.of("SOPS_AGE_KEY_FILE", file.toString(), "PATH", bin.toString(), "HOME", folder.toString()))
                .run(Main.class, "doctor");

        assertThat(told.exit()).as(told.output()).isEqualTo(1);
        assertThat(told.output())
                .contains("FAIL  age key            " + file
                        + " may not be read by this user (owner 0, mode rw-------) → chown ");
    }

    @Test
    @NeedsTool("gpg")
    void countsTheSecretKeysOfARealKeyring() throws Exception {
        Path home = Files.createDirectories(folder.resolve("g"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        FakeConsole console = console().with("GNUPGHOME", home.toString());
        assertThat(console.run("doctor")).isIn(0, 1);
        assertThat(console.out()).contains("WARN  gpg keys           " + home + " holds no secret key → gpg --homedir");
        gpg(home, "--quick-generate-key", "--passphrase=", "test@example.com", "ed25519", "sign", "never");

        assertThat(console.run("doctor")).isIn(0, 1);
        assertThat(console.out()).contains("ok    gpg keys           1 secret key in " + home + "\n");
    }

    private static void gpg(Path home, String... arguments) throws Exception {
        List<String> line = new java.util.ArrayList<>(
                List.of("gpg", "--homedir", home.toString(), "--batch", "--pinentry-mode=loopback"));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        new ProcessBuilder("gpgconf", "--homedir", home.toString(), "--kill", "all")
                .start()
                .waitFor();
    }

    @Test
    void correctsTheModeOfAKeyFileOnlyWhenAsked() throws IOException {
        Path file = key(folder.resolve("open.txt"), "rw-r--r--");
        FakeConsole console = console().with("SOPS_AGE_KEY_FILE", file.toString());

        assertThat(console.run("doctor")).isIn(0, 1);
        assertThat(console.out())
                .contains("WARN  age key ")
                .contains("which other users may read → chmod 600 " + file + "\n");
        assertThat(mode(file)).isEqualTo("rw-r--r--");

        assertThat(console.run("doctor", "--fix")).isIn(0, 1);
        assertThat(console.out()).contains("ok    age key ").contains("; mode of " + file + " set to rw-------\n");
        assertThat(mode(file)).isEqualTo("rw-------");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void tellsTheSameAsJson() throws IOException {
        Files.delete(bin.resolve("git"));
        FakeConsole console = console();

        assertThat(console.run("doctor", "-o", "json")).isIn(0, 1);
        assertThat(console.out())
                .contains("\"schema\" : \"remora/doctor/v1\"")
                .contains("\"name\" : \"git\",\n    \"result\" : \"warn\"")
                .contains("\"name\" : \"helm\",\n    \"result\" : \"ok\",\n    \"finding\" : \"3.21.0+g1234567, ")
                .contains("\"advice\" : \"install git (apt-get install git), or give --revision and --repo-url\"");
    }

    @Test
    void bundlesWhatABugReportNeedsWithoutSecrets() throws Exception {
        Files.writeString(
                folder.resolve(".remora.yaml"), "repo: https://user:hunter2hunter2@example.com/r\ntoken: t0p\n");
        FakeConsole console = console()
                .with("API_TOKEN", "abcdefgh1234")
                .with("GREETING", "hello abcdefgh1234")
                .with("HTTPS_PROXY", "http://proxyuser:proxypass99@proxy:3128")
                .with("KEYS", AGE_KEY + "\n-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----");

        assertThat(console.run("doctor", "--bundle", "report.tgz")).isIn(0, 1);

        assertThat(console.out())
                .contains("report.tgz will hold:\n  doctor.txt  ", "  environment.txt  ", "  .remora.yaml  ")
                .containsPattern("\\d+ files, 0 secret values \\(checked\\)\n");
        assertThat(mode(folder.resolve("report.tgz"))).isEqualTo("rw-------");
        String all = unpacked(folder.resolve("report.tgz"));
        assertThat(all)
                .contains("ok    kapitan", "\"schema\" : \"remora/doctor/v1\"", "GREETING=hello ******")
                .contains("https://******@example.com/r", "Max open files")
                .doesNotContain("abcdefgh1234", "hunter2hunter2", "t0p", "proxypass99", AGE_KEY, "MIIB");
    }

    @Test
    void overwritesNothingWithABundle() throws IOException {
        Files.writeString(folder.resolve("report.tgz"), "mine");
        FakeConsole console = console();

        assertThat(console.run("doctor", "--bundle", "report.tgz")).isEqualTo(5);
        assertThat(console.err()).contains("cannot write ").contains("[output.folder]");
        assertThat(folder.resolve("report.tgz")).hasContent("mine");
    }

    /// All files' contents, as the system's own tar reads them.
    private static String unpacked(Path archive) throws Exception {
        Process tar = new ProcessBuilder("tar", "-xzOf", archive.toString()).start();
        String all = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tar.waitFor()).isZero();
        return all;
    }
}
