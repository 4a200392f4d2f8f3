package dev.remora.process;

import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogField;
import dev.remora.telemetry.LogKey;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/// A tree that tells each command in the log as Argo CD's server does (docs/spec/wire.md, "Logs"): the command, all
/// that it printed at level debug, all of its standard error at level info. Nothing is masked:
/// that is why it is only there where it is asked for.
record LoggedTree(ProcessTree tree, Log log) implements ProcessTree {
    /// Five hexadecimal digits, as Argo CD's.
    private static final int IDS = 1 << 20;

    @Override
    public Outcome run(Command command, TimeLimits time, Cancellation cancellation) {
        LogField id = begun(command);
        return told(command, id, tree.run(command, time, cancellation));
    }

    @Override
    public Outcome runLast(Command command, TimeLimits time, Cancellation cancellation) {
        LogField id = begun(command);
        return told(command, id, tree.runLast(command, time, cancellation));
    }

    private LogField begun(Command command) {
        String random =
                String.format(Locale.ROOT, "%05x", ThreadLocalRandom.current().nextInt(IDS));
        LogField id = LogKey.EXEC_ID.is(random);
        log.info(
                CommandLine.rendered(command.argv()),
                LogKey.DIR.is(command.directory().toString()),
                id);
        return id;
    }

    private Outcome told(Command command, LogField id, Outcome outcome) {
        if (neverRan(outcome)) {
            return outcome;
        }
        Captured output = outcome.output();
        log.debug(
                new String(output.stdout(), StandardCharsets.UTF_8),
                LogKey.DURATION.is(output.took().toNanos()),
                id);
        if (outcome instanceof Outcome.Exited exited && exited.status() == 0) {
            succeeded(command, id, output);
        } else {
            String said = output.stderr().strip();
            log.error(
                    "`" + CommandLine.rendered(command.argv()) + "` failed " + cause(outcome)
                            + (said.isEmpty() ? "" : ": " + said),
                    id);
        }
        return outcome;
    }

    private void succeeded(Command command, LogField id, Captured output) {
        LogField stderr = LogKey.STDERR.is(output.stderr());
        LogField line = LogKey.COMMAND.is(CommandLine.rendered(command.argv()));
        if (output.stdoutBytes() == 0) {
            log.warning("Plugin command returned zero output", stderr, line, id);
        } else {
            log.info("Plugin command successful", stderr, line, id);
        }
    }

    /// Argo CD's server gives such an end to its caller and logs no line for it.
    private static boolean neverRan(Outcome outcome) {
        return outcome instanceof Outcome.NotStarted
                || (outcome instanceof Outcome.TimedOut timedOut && !timedOut.started());
    }

    /// In Go's words; there every end but the command's own is a signal.
    private static String cause(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited exited -> "exit status " + exited.status();
            case Outcome.Signalled signalled -> CommandFaults.signal(signalled.signal());
            default -> CommandFaults.signal(dev.remora.posix.Signal.SIGKILL);
        };
    }

    @Override
    public void close() {
        tree.close();
    }
}
