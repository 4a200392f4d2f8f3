package dev.remora.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.launcher.Shell.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./remora`, with a Maven and JDKs that are shell scripts.
class LauncherTest {
    @TempDir
    Path folder;

    private FakeCheckout checkout;
    private Path jdk25;

    @BeforeEach
    void lay() throws IOException {
        checkout = new FakeCheckout(Files.createDirectory(folder.resolve("check out")));
        jdk25 = FakeCheckout.jdk(folder.resolve("jdk 25"), "25.0.3");
    }

    @Test
    void buildsOnFirstUseAndOnlyThen() throws Exception {
        Ended first = shell("JAVA_HOME", jdk25).run(checkout.launcher(), "version");
        Ended second = shell("JAVA_HOME", jdk25).run(checkout.launcher(), "version");

        assertThat(first.err()).contains("building", "built in");
        assertThat(second.err()).isEmpty();
        assertThat(second.exit()).isZero();
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void buildsAgainWhenASourceIsNewerThanTheBuild() throws Exception {
        Shell shell = shell("JAVA_HOME", jdk25);
        shell.run(checkout.launcher(), "version");
        Path source = Files.writeString(checkout.root().resolve("src/main/New.java"), "class New {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));

        shell.run(checkout.launcher(), "version");

        assertThat(checkout.builds()).isEqualTo(2);
    }

    @Test
    void buildsOnceWhenTwoStartAtTheSameTime() throws Exception {
        checkout.buildWith("""
                echo build >> builds
                sleep 1
                for word; do case $word in -Dremora.target=*) target=${word#*=} ;; esac; done
                mkdir -p "$target/lib"
                echo jar > "$target/remora-0.1.0.jar"
                """);
        Shell shell = shell("JAVA_HOME", jdk25);

        Shell.Running one = shell.start(checkout.launcher(), "version");
        Shell.Running two = shell.start(checkout.launcher(), "version");

        assertThat(shell.await(one).exit()).isZero();
        assertThat(shell.await(two).exit()).isZero();
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void takesTheLockOfABuildThatDied() throws Exception {
        Path lock = Files.createDirectories(checkout.root().resolve(".remora/lock"));
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.writeString(lock.resolve("pid"), dead.pid() + "\n");

        Ended ended = shell("JAVA_HOME", jdk25).run(checkout.launcher(), "version");

        assertThat(ended.exit()).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void showsTheLogOfAFailedBuildAndTriesAgainNextTime() throws Exception {
        checkout.buildWith("echo build >> builds\necho 'Foo.java:1: wrong'\nexit 1\n");

        Ended failed = shell("JAVA_HOME", jdk25).run(checkout.launcher(), "version");
        shell("JAVA_HOME", jdk25).run(checkout.launcher(), "version");

        assertThat(failed.exit()).isEqualTo(5);
        assertThat(failed.err()).contains("Foo.java:1: wrong", ".remora/build.log");
        assertThat(failed.out()).isEmpty();
        assertThat(checkout.builds()).isEqualTo(2);
    }

    @Test
    void becomesTheJvmSoThatSignalsAndPidAreItsOwn() throws Exception {
        Ended ended = shell("JAVA_HOME", jdk25).run(checkout.launcher(), "version");

        assertThat(ended.out()).contains("pid " + ended.pid() + "\n");
    }

    @Test
    void passesArgumentsUnharmed() throws Exception {
        Ended ended =
                shell("JAVA_HOME", jdk25).run(checkout.launcher(), "render", "two words", "*", "", "gr\u00fc\u00dfe");

        assertThat(ended.out()).endsWith("word render\nword two words\nword *\nword \nword gr\u00fc\u00dfe\n");
    }

    @Test
    void takesServerFlagsForTheServerAlone() throws Exception {
        Shell shell = shell("JAVA_HOME", jdk25);

        assertThat(shell.run(checkout.launcher(), "serve").out()).contains("/serve.options");
        assertThat(shell.run(checkout.launcher(), "render").out()).contains("/command.options");
    }

    @Test
    void worksThroughALinkFromAnyFolder() throws Exception {
        Path link = folder.resolve("bin/remora");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("../hop"));
        Files.createSymbolicLink(folder.resolve("hop"), checkout.launcher());
        Map<String, String> environment =
                new HashMap<>(shell("JAVA_HOME", jdk25).environment());
        environment.put("PATH", link.getParent() + ":" + environment.get("PATH"));

        Ended ended = new Shell(Path.of("/"), environment).run("sh", "-c", "remora version");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).contains("word -cp\nword " + checkout.root().toRealPath() + "/.remora/");
    }

    @Test
    void passesOverAnOlderJavaHomeAndFindsAJdkOfSdkman() throws Exception {
        Path old = FakeCheckout.jdk(folder.resolve("jdk 17"), "17.0.15");
        Path sdkman = FakeCheckout.jdk(folder.resolve("home/.sdkman/candidates/java/25-tem"), "25.0.1");
        Map<String, String> environment = Map.of(
                "PATH",
                old.resolve("bin") + ":/usr/bin:/bin",
                "JAVA_HOME",
                old.toString(),
                "REMORA_JVM_FOLDERS",
                "",
                "HOME",
                folder.resolve("home").toString());

        Ended ended = new Shell(folder, environment).run(checkout.launcher(), "version");

        assertThat(ended.out()).contains("home " + sdkman + "\n");
    }

    @Test
    void saysHowToInstallAJdkWhenThereIsNone() throws Exception {
        Map<String, String> environment =
                Map.of("PATH", "/usr/bin:/bin", "REMORA_JVM_FOLDERS", "", "HOME", folder.toString());

        Ended ended = new Shell(folder, environment).run(checkout.launcher(), "version");

        assertThat(ended.exit()).isEqualTo(5);
        assertThat(ended.err())
                .contains("needs a JDK 25", "apt-get install", "dnf install", "brew install", "sdk install");
    }

    @Test
    void refusesAJdkByNameThatIsAnother() throws Exception {
        Path old = FakeCheckout.jdk(folder.resolve("jdk 17"), "17.0.15");

        Ended ended = shell("REMORA_JAVA_HOME", old).run(checkout.launcher(), "version");

        assertThat(ended.exit()).isEqualTo(5);
        assertThat(ended.err()).contains("REMORA_JAVA_HOME=" + old + " is not a JDK 25");
    }

    @Test
    void goesOnWithoutAStartCacheWhenItCannotBeTrained() throws Exception {
        Path jdk = FakeCheckout.jdk(folder.resolve("jdk"), "25");
        String java = Files.readString(jdk.resolve("bin/java"));
        Files.writeString(jdk.resolve("bin/java"), java.replace("echo cache > \"${word#*=}\"; exit 0", "exit 1"));

        Ended first = shell("JAVA_HOME", jdk).run(checkout.launcher(), "version");
        Ended second = shell("JAVA_HOME", jdk).run(checkout.launcher(), "version");

        assertThat(first.err()).contains("no start cache");
        assertThat(first.exit()).isZero();
        assertThat(second.err()).isEmpty();
    }

    private Shell shell(String variable, Path jdk) {
        return new Shell(folder, Map.of("PATH", "/usr/bin:/bin", "HOME", folder.toString(), variable, jdk.toString()));
    }
}
