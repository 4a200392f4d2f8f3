package dev.remora.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.CommandSpec;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule.FindCommand;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.CallTime;
import dev.remora.process.Cancellation;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.CommandRunner;
import dev.remora.process.Confinement;
import dev.remora.process.ExecTimeouts;
import dev.remora.process.ProcessSettings;
import dev.remora.telemetry.Phases;
import dev.remora.workspace.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rows of `docs/spec/discovery.md` about find commands, run for real.
class FindCommandTest {
    private static final long OUTPUT = 1 << 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void layOut() throws IOException {
        Files.createDirectories(folder.resolve("app"));
        Files.writeString(folder.resolve("app/here"), "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "echo test | true",
                "echo | false",
                "true | false",
                "printf ' ' | true",
                "echo; echo | true",
                "echo oops >&2 | false",
                "echo -n $ENV_VAR | true",
                "printf \"%s\" \"$ENV_NO_VAR\" | false",
                "ls here | true",
            })
    void saysYesByPrinting(String script, boolean supported) {
        Verdict verdict = ask(List.of("sh", "-c", script), Optional.empty());

        assertThat(verdict.supported()).as(verdict.reason()).isEqualTo(supported);
        assertThat(verdict.discoveryConfigured()).isTrue();
    }

    @Test
    void takesArgsBehindTheCommand() {
        assertThat(ask(List.of("echo", "test"), Optional.empty()).reason())
                .isEqualTo("spec.discover.find.command `echo test` printed something");
    }

    @Test
    void cannotBeAskedWhenItFails() {
        Fault fault = refusal(List.of("cat", "nil"), Optional.empty());

        assertThat(fault.code()).isEqualTo(FaultCode.DISCOVERY_FAILED);
        assertThat(fault)
                .hasMessageStartingWith("match repository error: error running find command: `cat nil` failed"
                        + " exit status 1: cat: nil:");
    }

    @Test
    void cannotBeAskedWhenItIsMissing() {
        Fault fault = refusal(List.of("no-such-program"), Optional.empty());

        assertThat(fault.code()).isEqualTo(FaultCode.COMMAND_START);
        assertThat(fault)
                .hasMessageContaining("match repository error: error running find command: "
                        + "exec: \"no-such-program\": executable file not found in $PATH");
    }

    @Test
    void tellsWhichLimitEndedIt() {
        Fault fault = refusal(List.of("sleep", "30"), Optional.of(Duration.ofMillis(900)));

        assertThat(fault.code()).isEqualTo(FaultCode.CALL_DEADLINE);
        assertThat(fault).hasMessageContaining("match repository error: error running find command: ");
    }

    private Fault refusal(List<String> words, Optional<Duration> given) {
        return catchThrowableOfType(Fault.class, () -> ask(words, given));
    }

    private Verdict ask(List<String> words, Optional<Duration> given) {
        var rule = new FindCommand(new CommandSpec(words.subList(0, 1), words.subList(1, words.size())));
        var matcher = new RepositoryMatcher(Definitions.with(rule), Departures.NONE_SWITCHED_BACK, name -> "");
        assertThat(matcher.needs()).isEqualTo(RepositoryMatcher.Needs.FOLDER);
        var question = new FolderQuestion(
                RootedPath.resolved(Bytes.utf8(folder.toString()), Bytes.utf8("app")),
                List.of(EnvironmentVariable.of("ENV_VAR", "1")),
                Confinement.COMPATIBLE,
                CallTime.startingNow(given, ExecTimeouts.DEFAULT),
                new Cancellation());
        Bytes path = Bytes.utf8(System.getenv("PATH"));
        try (CommandRunner runner = CommandRunner.open(ProcessSettings.standard(path))) {
            return matcher.onFolder(question, runner, CommandEnvironment.ofThisProcess(Map.of()), OUTPUT, new Phases());
        }
    }
}
