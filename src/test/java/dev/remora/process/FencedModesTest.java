package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.FileFence;
import dev.remora.testing.NeedsLandlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Modes, owners and attributes of files, by commands behind a strict fence: Landlock has no say about them.
@NeedsLandlock
class FencedModesTest {
    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/lib", "/lib64", "/etc", "/proc");

    @TempDir
    private Path folder;

    private final CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH));
    private Path own = Path.of("");
    private Path foreign = Path.of("");

    @BeforeEach
    void makeFiles() throws IOException {
        Path real = folder.toRealPath();
        own = Files.createDirectory(real.resolve("own"));
        foreign = Files.createFile(
                real.resolve("foreign"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        for (String name : List.of("attempt.py", "chmod_race.py")) {
            Files.copy(Path.of("src/test/resources/escape", name), own.resolve(name));
        }
    }

    @AfterEach
    void close() {
        runner.close();
    }

    @Test
    void ownFilesAndFoldersGetTheirModesByEveryName() {
        assertThat(
                        run(
                                "mkdir d; touch d/f; ln -s d/f link; chmod 600 d/f; stat -c %a d/f; chmod 640 link; stat -c %a d/f;"
                                        + " cd d; chmod 4711 ../d/f; stat -c %a f; chmod 700 ../d; stat -c %a .; chmod -R u+w $PWD;"
                                        + " chmod 600 /proc/self/cwd/f; stat -c %a f; chmod 644 missing 2>/dev/null || echo missing"))
                .isEqualTo("600\n640\n4711\n700\n600\nmissing\n");
    }

    @Test
    void pythonsAndPerlsWaysWork() {
        assertThat(run("touch f; python3 -c 'import os, shutil; os.chmod(\"f\", 0o604);"
                        + " d = os.open(\".\", 0); os.chmod(\"f\", 0o640, dir_fd=d); shutil.copy2(\"f\", \"g\");"
                        + " print(oct(os.stat(\"g\").st_mode))'; perl -e 'chmod 0600, \"g\"'; stat -c %a g"))
                .isEqualTo("0o100640\n600\n");
    }

    @Test
    void foreignFilesKeepTheirsByEveryName() throws IOException {
        assertThat(run("ln -s " + foreign + " link; for name in " + foreign + " ../foreign link .. /dev/fd/../../../.."
                        + foreign + "; do chmod 0777 $name 2>/dev/null && echo $name; done; exec 3<>/dev/null;"
                        + " chmod 0777 /proc/self/fd/3 2>/dev/null && echo device; echo end"))
                .isEqualTo("end\n");
        assertUntouched();
    }

    @Test
    void noTurnOfThePathOrLinkChangesAForeignFile() throws IOException {
        assertThat(run("python3 -B chmod_race.py " + foreign)).isEqualTo("changed\n");
        assertUntouched();
    }

    @Test
    void aProcessWhoseMemoryCannotBeReadChangesNothing() throws IOException {
        assertThat(run("touch f; python3 -c 'import ctypes, os; ctypes.CDLL(None).prctl(4, 0)\ntry:\n  os.chmod(\""
                        + foreign + "\", 0o777); print(\"changed\")\nexcept OSError as e: print(e.strerror)'"))
                .doesNotContain("changed");
        assertUntouched();
    }

    /// A file of the same user that may be read, through a descriptor.
    @Test
    void whatMayOnlyBeReadKeepsModeTimesAndAttributes() throws IOException {
        Files.setLastModifiedTime(foreign, FileTime.fromMillis(1_000_000));
        assertThat(run("python3 -c '\nimport os\nd = os.open(\"" + foreign + "\", os.O_RDONLY)\n"
                        + "for call in (lambda: os.fchmod(d, 0o777), lambda: os.utime(d), lambda: os.utime(d, (1, 1)),"
                        + " lambda: os.utime(\"" + foreign + "\"), lambda: os.utime(\"" + foreign + "\", (1, 1)),"
                        + " lambda: os.setxattr(d, \"user.a\", b\"x\"), lambda: os.removexattr(d, \"user.a\")):\n"
                        + "  try: call(); print(\"done\")\n  except OSError as e: print(e.strerror)'"))
                .isEqualTo("Operation not permitted\n".repeat(5) + "Operation not supported\n".repeat(2));
        assertUntouched();
        assertThat(Files.getLastModifiedTime(foreign).toMillis()).isEqualTo(1_000_000);
    }

    @Test
    void ownFilesGetTheirTimesByEveryName() {
        assertThat(run("touch -d @100 f; stat -c %Y f; ln -s f link; touch -h -d @200 link; stat -c %Y link f;"
                        + " touch -d @300.5 link; stat -c %Y f; touch -a -d @400 f; stat -c '%X %Y' f;"
                        + " cp -p f g; stat -c %Y g; python3 -c 'import os; d = os.open(\"f\", 0);"
                        + " os.utime(d, (1, 500)); os.fchmod(d, 0o604); c = os.open(\".\", 0);"
                        + " os.utime(\"g\", (1, 600), dir_fd=c)'; stat -c '%Y %a' f; stat -c %Y g;"
                        + " perl -e 'utime(1, 700, \"f\")'; stat -c %Y f; touch f; test $(stat -c %Y f) -gt 1000000 &&"
                        + " echo now; tar -cf t.tar -C . g && mkdir x && tar -xpf t.tar -C x && stat -c %Y x/g;"
                        + " touch -c -d @1 missing; ls missing 2>/dev/null; mkdir d; touch -d @800 d; stat -c %Y d"))
                .isEqualTo("100\n200\n100\n300\n400 300\n300\n500 604\n600\n700\nnow\n600\n800\n");
    }

    /// By the older calls, which the C library no longer uses.
    @Test
    @EnabledIf("isX86")
    void theOlderCallsForTimesAreJudgedToo() throws IOException {
        Files.setLastModifiedTime(foreign, FileTime.fromMillis(1_000_000));
        String program = """
                import ctypes, os, struct
                libc = ctypes.CDLL(None, use_errno=True)
                UTIME, UTIMES, FUTIMESAT, CWD = 132, 235, 261, -100
                def said(result): return "done" if result == 0 else os.strerror(ctypes.get_errno())
                for path in (b"f", b"%s"):
                    print(said(libc.syscall(UTIME, path, struct.pack("qq", 1, 10))))
                    print(said(libc.syscall(UTIMES, path, struct.pack("qqqq", 1, 0, 20, 500000))))
                    print(said(libc.syscall(FUTIMESAT, CWD, path, struct.pack("qqqq", 1, 0, 30, 999999))))
                    print(said(libc.syscall(FUTIMESAT, CWD, path, struct.pack("qqqq", 1, 0, 30, 1000000))))
                    print(said(libc.syscall(UTIME, path, None)))
                """.formatted(foreign);
        assertThat(run("touch f; cat > p.py << 'END'\n" + program + "END\npython3 p.py"))
                .isEqualTo("done\ndone\ndone\nInvalid argument\ndone\n" + "Operation not permitted\n".repeat(3)
                        + "Invalid argument\nOperation not permitted\n");
        assertThat(Files.getLastModifiedTime(foreign).toMillis()).isEqualTo(1_000_000);
    }

    static boolean isX86() {
        return System.getProperty("os.arch").equals("amd64");
    }

    @Test
    void ownersAndAttributesStay() throws IOException {
        assertThat(
                        run(
                                "touch f; python3 -c '\nimport os\nfor call in (lambda: os.chown(\"" + foreign
                                        + "\", 1, 1),"
                                        + " lambda: os.setxattr(\"" + foreign + "\", \"user.a\", b\"x\")):\n"
                                        + "  try: call(); print(\"done\")\n  except OSError as e: print(e.strerror)'; cp -a f g && echo copied"))
                .isEqualTo("Operation not permitted\nOperation not supported\ncopied\n");
    }

    private void assertUntouched() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(foreign)))
                .isEqualTo("rw-r--r--");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isNotEqualTo("rwxrwxrwx");
    }

    private String run(String script) {
        Fence fence = new Fence.Strict(
                new FileFence(
                        Stream.concat(SYSTEM.stream(), Stream.of(foreign.toString()))
                                .map(Bytes::utf8)
                                .toList(),
                        Stream.of("/dev/null", own.toString()).map(Bytes::utf8).toList()),
                Fence.Network.NONE,
                false);
        try (ProcessTree tree = runner.open("t", Shell.limits(), fence)) {
            return Shell.stdout(tree.runLast(Shell.script(own, script), TimeLimits.NONE, new Cancellation()));
        }
    }
}
