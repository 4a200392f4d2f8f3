package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// docs/spec/processes.md, "Finding the program" and "When it does not start".
@EnabledOnOs(OS.LINUX)
class StartFailureTest {
    private static final Bytes PATH = Bytes.utf8("PATH=/usr/bin:/bin");

    private static CommandRunner runner;

    @TempDir
    private Path folder;

    @BeforeAll
    static void open() {
        runner = CommandRunner.open(ProcessSettings.standard(Bytes.utf8("/no/such:/usr/bin:/bin:")));
    }

    @AfterAll
    static void close() {
        runner.close();
    }

    @Test
    void anEmptyCommand() {
        assertThat(failure(new Command(List.of(), List.of(PATH), bytes(folder))).cause())
                .isEqualTo("Command is empty");
        assertThat(failure("").cause()).isEqualTo("exec: no command");
    }

    @Test
    void aNameThatIsNotOnThePath() {
        assertThat(failure("no such \"tool").cause())
                .isEqualTo("exec: \"no such \\\"tool\": executable file not found in $PATH");
        assertThat(failure("..").cause()).isEqualTo("exec: \"..\": executable file not found in $PATH");
    }

    @Test
    void theRequestsOwnPathDoesNotCount() throws IOException {
        executable(folder.resolve("tool-of-the-app"), "#!/bin/sh\n");
        Command command = new Command(
                List.of(Bytes.utf8("tool-of-the-app")), List.of(Bytes.utf8("PATH=" + folder)), bytes(folder));

        assertThat(failure(command).cause()).isEqualTo("exec: \"tool-of-the-app\": executable file not found in $PATH");
    }

    @Test
    void aNameWithASlashIsRelativeToTheFolder() throws IOException {
        executable(folder.resolve("generate.sh"), "#!/bin/sh\necho \"$0\"\n");

        Outcome outcome = run(new Command(List.of(Bytes.utf8("./generate.sh")), List.of(PATH), bytes(folder)));

        assertThat(Shell.stdout(outcome)).isEqualTo("./generate.sh\n");
        assertThat(failure("./other.sh").text()).isEqualTo("fork/exec ./other.sh: no such file or directory");
    }

    @Test
    void aMissingFolderIsNamedBehindTheProgram() {
        Path missing = folder.resolve("missing");
        Outcome.NotStarted failure = failure(new Command(List.of(Bytes.utf8("sh")), List.of(PATH), bytes(missing)));

        assertThat(failure.cause()).isEqualTo("fork/exec /usr/bin/sh: no such file or directory");
        assertThat(failure.text())
                .isEqualTo("fork/exec /usr/bin/sh: no such file or directory (the folder " + missing
                        + " cannot be entered: no such file or directory)");
    }

    @Test
    void aFileOrATooLongNameOrANulAsFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThat(failure(new Command(List.of(Bytes.utf8("sh")), List.of(PATH), bytes(file)))
                        .cause())
                .isEqualTo("fork/exec /usr/bin/sh: not a directory");
        Bytes longName = bytes(folder).slash(Bytes.utf8("x".repeat(300)));
        assertThat(failure(new Command(List.of(Bytes.utf8("sh")), List.of(PATH), longName))
                        .cause())
                .isEqualTo("fork/exec /usr/bin/sh: file name too long");
        Bytes nul = bytes(folder).plus(Bytes.of(new byte[] {0}));
        assertThat(failure(new Command(List.of(Bytes.utf8("sh")), List.of(PATH), nul))
                        .cause())
                .isEqualTo("fork/exec /usr/bin/sh: invalid argument");
    }

    @Test
    void aFileThatCannotBeExecuted() throws IOException {
        Files.writeString(folder.resolve("plain.txt"), "x");
        executable(folder.resolve("no-interpreter"), "#!/no/such/interpreter\n");
        executable(folder.resolve("no-format"), "echo hello\n");

        assertThat(failure("./plain.txt").cause()).isEqualTo("fork/exec ./plain.txt: permission denied");
        assertThat(failure("./").cause()).isEqualTo("fork/exec ./: permission denied");
        assertThat(failure("./no-interpreter").text())
                .isEqualTo("fork/exec ./no-interpreter: no such file or directory (the file is there, but the"
                        + " interpreter of its first line or its loader is not)");
        assertThat(failure("./no-format").cause()).isEqualTo("fork/exec ./no-format: exec format error");
    }

    @Test
    void aNulInArgumentsOrEnvironment() {
        Bytes nul = Bytes.of(new byte[] {'a', 0, 'b'});

        assertThat(failure(new Command(List.of(Bytes.utf8("sh"), nul), List.of(PATH), bytes(folder)))
                        .cause())
                .isEqualTo("fork/exec /usr/bin/sh: invalid argument");
        Outcome.NotStarted failure = failure(
                new Command(List.of(Bytes.utf8("sh")), List.of(Bytes.utf8("V=").plus(nul)), bytes(folder)));
        assertThat(failure.cause()).isEqualTo("exec: environment variable contains NUL");
        assertThat(failure.detail()).contains("the variable V holds a NUL byte");
    }

    @Test
    void aVariableThatIsTooLongIsNamed() {
        String most = "V=" + "x".repeat(StartFailure.LONGEST_STRING - 2);

        Outcome fits = run(new Command(List.of(Bytes.utf8("true")), List.of(PATH, Bytes.utf8(most)), bytes(folder)));
        assertThat(fits).isInstanceOf(Outcome.Exited.class);

        Outcome.NotStarted failure =
                failure(new Command(List.of(Bytes.utf8("true")), List.of(PATH, Bytes.utf8(most + "x")), bytes(folder)));
        assertThat(failure.cause()).isEqualTo("fork/exec /usr/bin/true: argument list too long");
        assertThat(failure.detail())
                .contains("the variable V has 131072 bytes with its name; the kernel allows 131071");
    }

    @Test
    void aFailedStartLeavesNoDescriptorBehind() {
        failure("./missing");
        int before = OpenFiles.count();

        for (int i = 0; i < 50; i++) {
            failure("./missing");
        }

        assertThat(OpenFiles.count()).isEqualTo(before);
    }

    private Outcome.NotStarted failure(String program) {
        return failure(new Command(List.of(Bytes.utf8(program)), List.of(PATH), bytes(folder)));
    }

    private static Outcome.NotStarted failure(Command command) {
        return (Outcome.NotStarted) run(command);
    }

    private static Outcome run(Command command) {
        try (ProcessTree tree = runner.open("t", Shell.limits())) {
            return tree.run(command, TimeLimits.NONE, new Cancellation());
        }
    }

    private static Bytes bytes(Path path) {
        return Bytes.utf8(path.toString());
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
