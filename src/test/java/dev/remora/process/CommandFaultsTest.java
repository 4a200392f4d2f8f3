package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Four endings that look alike from outside are told apart, and every message says what to do.
class CommandFaultsTest {
    private static final Command COMMAND = new Command(
            List.of(Bytes.utf8("sh"), Bytes.utf8("-c"), Bytes.utf8("echo \"hello world\"")),
            List.of(),
            Bytes.utf8("/"));

    @Test
    void isNothingForASuccess() {
        assertThat(faults().of(COMMAND, new Outcome.Exited(0, printed("noise"))))
                .isEmpty();
    }

    @Test
    void tellsAFailureInArgoCdsWords() {
        Fault fault = faultOf(new Outcome.Exited(3, printed("\n  no such chart \n")));

        assertThat(fault.code()).isEqualTo(FaultCode.COMMAND_FAILED);
        assertThat(fault).hasMessage("`sh -c \"echo \\\"hello world\\\"\"` failed exit status 3: no such chart");
    }

    @Test
    void namesTheCallersDeadlineWithThePhasesThatUsedIt() {
        TimeLimit limit = new TimeLimit("the caller's deadline", Duration.ofSeconds(60), 0, "the caller's timeout");

        Fault fault = faultOf(new Outcome.TimedOut(limit, true, Optional.empty(), printed("")));

        assertThat(fault.code()).isEqualTo(FaultCode.CALL_DEADLINE);
        assertThat(fault)
                .hasMessage("the caller's 60.0s ran out in generate (55.1s; receive 1.9s, unpack 600ms, init 2.3s);"
                        + " everything it started was stopped; raise the caller's timeout");
    }

    @Test
    void namesTheExecTimeoutAndItsSetting() {
        TimeLimit limit = new TimeLimit("ARGOCD_EXEC_TIMEOUT", Duration.ofSeconds(90), 0, "ARGOCD_EXEC_TIMEOUT");

        Fault fault = faultOf(new Outcome.TimedOut(limit, true, Optional.of("pid 7 (sleep)"), printed("half")));

        assertThat(fault.code()).isEqualTo(FaultCode.COMMAND_TIMEOUT);
        assertThat(fault)
                .hasMessageStartingWith("ARGOCD_EXEC_TIMEOUT of 90.0s ran out in generate")
                .hasMessageContaining("pid 7 (sleep) kept its output open")
                .hasMessageContaining("raise ARGOCD_EXEC_TIMEOUT")
                .hasMessageEndingWith(": half");
    }

    @Test
    void saysThatNoTimeWasLeftToStart() {
        TimeLimit limit = new TimeLimit("the caller's deadline", Duration.ofSeconds(1), 0, "the caller's timeout");

        Fault fault = faultOf(new Outcome.TimedOut(limit, false, Optional.empty(), printed("")));

        assertThat(fault)
                .hasMessageStartingWith("context deadline exceeded: the caller's 1.0s ran out before generate");
    }

    @Test
    void tellsASignalFromOutsideFromTheEndOfTheMemory() {
        Fault outside = faultOf(new Outcome.Signalled(9, false, false, Optional.empty(), printed("")));
        Fault memory = faultOf(new Outcome.Signalled(9, false, true, Optional.empty(), printed("")));

        assertThat(outside.code()).isEqualTo(FaultCode.COMMAND_KILLED);
        assertThat(outside).hasMessageContaining("failed signal: killed; the signal came from outside");
        assertThat(memory.code()).isEqualTo(FaultCode.COMMAND_OUT_OF_MEMORY);
        assertThat(memory).hasMessageContaining("failed signal: killed; out of memory");
    }

    @Test
    void tellsThatTheCallerWentAway() {
        Fault fault = faultOf(new Outcome.Cancelled("the caller went away", printed("")));

        assertThat(fault.code()).isEqualTo(FaultCode.CALL_CANCELLED);
        assertThat(fault).hasMessageStartingWith("context canceled: the caller went away during generate");
    }

    @Test
    void leavesTheWordsOfACommandThatDidNotStartAsTheyAre() {
        String words = "exec: \"kapitan\": executable file not found in $PATH";

        Fault fault = faultOf(new Outcome.NotStarted(words, Optional.empty(), 0, printed("")));

        assertThat(fault.code()).isEqualTo(FaultCode.COMMAND_START);
        assertThat(fault).hasMessage(words);
    }

    private static Fault faultOf(Outcome outcome) {
        return faults().of(COMMAND, outcome).orElseThrow();
    }

    private static CommandFaults faults() {
        Phases phases = new Phases();
        phases.add(Phase.RECEIVE, Duration.ofMillis(1900));
        phases.add(Phase.UNPACK, Duration.ofMillis(600));
        phases.add(Phase.INIT, Duration.ofMillis(2300));
        phases.add(Phase.GENERATE, Duration.ofMillis(55_100));
        return new CommandFaults(phases, Phase.GENERATE);
    }

    private static Captured printed(String stderr) {
        return new Captured(new byte[0], stderr, 0, stderr.length(), Duration.ZERO, false);
    }
}
