package dev.remora.process;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A program of its own, for tests that need another user, another locale or another process 1. Prints `ok` or what
/// is wrong.
final class ContainmentProbe {
    private static final int FEW = 150;

    private ContainmentProbe() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        ProcessSettings.Containment containment = ProcessSettings.Containment.valueOf(arguments[2]);
        ProcessSettings settings = new ProcessSettings(
                Shell.SEARCH_PATH, containment, ProcessSettings.Ending.WHOLE_TREE, true, ProcessSettings.CLOSE_GRACE);
        try (CommandRunner runner = CommandRunner.open(settings)) {
            String wrong = switch (arguments[0]) {
                case "bytes" -> bytes(runner, folder);
                case "bomb" -> bomb(runner, folder);
                case "escapes" -> escapes(runner, folder);
                case "no-descriptors" -> noDescriptors(runner, folder);
                case "no-threads" -> noThreads(runner, folder);
                case "process-one" -> processOne(runner, folder);
                default -> "unknown probe";
            };
            System.out.println(wrong.isEmpty() ? "ok" : wrong);
        }
    }

    /// Argument, variable and folder are not UTF-8, and arrive unharmed.
    private static String bytes(CommandRunner runner, Path folder) {
        Bytes odd = Bytes.of(new byte[] {'d', (byte) 0xe9, (byte) 0xff});
        Bytes home = Bytes.utf8(folder.toString());
        List<Bytes> environment =
                List.of(Bytes.utf8("PATH=/usr/bin:/bin"), Bytes.utf8("V=").plus(odd));
        Bytes script = Bytes.utf8("mkdir -p \"$1\"; cd \"$1\"; printf '%s/%s' \"$V\" \"$1\"; cp /bin/true ./\"$1\"");
        try (ProcessTree tree = runner.open("bytes", Shell.limits())) {
            Outcome made = tree.run(
                    new Command(
                            List.of(Bytes.utf8("sh"), Bytes.utf8("-c"), script, Bytes.utf8("sh"), odd),
                            environment,
                            home),
                    TimeLimits.NONE,
                    new Cancellation());
            Outcome used = tree.run(
                    new Command(List.of(Bytes.utf8("./").plus(odd)), environment, home.slash(odd)),
                    TimeLimits.NONE,
                    new Cancellation());
            boolean same = Bytes.of(made.output().stdout()).equals(odd.slash(odd));
            boolean ran = used instanceof Outcome.Exited exited && exited.status() == 0;
            return same && ran ? "" : "made " + made + ", used " + used;
        }
    }

    /// Doubles as fast as it can, until the watcher or the kernel stops it.
    private static String bomb(CommandRunner runner, Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        CommandLimits limits = new CommandLimits(
                Shell.MEBI,
                FEW,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
        Outcome outcome;
        try (ProcessTree tree = runner.open("bomb", limits)) {
            outcome = tree.run(
                    Shell.marked(folder, mark, "trap '' TERM; bomb() { bomb & bomb & exec sleep 300; }; bomb"),
                    Shell.within(Duration.ofSeconds(60), Duration.ofSeconds(1)),
                    new Cancellation());
        }
        List<String> left = Alive.bearing(mark);
        return outcome instanceof Outcome.TooManyProcesses && left.isEmpty() ? "" : outcome + " left " + left;
    }

    /// Also one that clears its environment and opens a session behind two forks, while another asks for no signal.
    private static String escapes(CommandRunner runner, Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        String script =
                "trap '' TERM HUP INT; (setsid sh -c '(setsid sh -c \"trap : TERM; while :; do sleep 1; done\" &)'"
                        + " >/dev/null 2>&1 &); (nohup setsid sleep 300 >/dev/null 2>&1 &);"
                        + " (env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 12345 & exec /bin/sleep 12345' >/dev/null 2>&1 &);"
                        + " sleep 0.3";
        try (ProcessTree tree = runner.open("escapes", Shell.limits())) {
            Outcome outcome = tree.run(Shell.marked(folder, mark, script), TimeLimits.NONE, new Cancellation());
            if (!(outcome instanceof Outcome.Exited) || Alive.bearing(mark).isEmpty()) {
                return "not started: " + outcome;
            }
        }
        ProcessTable table = new ProcessTable();
        List<Integer> children = table.of(ProcessTable.self());
        List<String> left = Alive.bearing(mark);
        return left.isEmpty() && children.isEmpty() ? "" : "left " + left + ", children " + children;
    }

    /// When a render is closed there is no descriptor left to look for its processes with.
    private static String noDescriptors(CommandRunner runner, Path folder) throws IOException {
        String mark = "MARK_" + System.nanoTime();
        long before = Processes.softLimit(Processes.OURSELVES, Processes.RLIMIT_NOFILE);
        try (ProcessTree tree = runner.open("no-descriptors", Shell.limits())) {
            tree.run(Shell.marked(folder, mark, ProcessTreeContract.DAEMON), TimeLimits.NONE, new Cancellation());
            if (Alive.bearing(mark).isEmpty()) {
                return "not started";
            }
            long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NOFILE, 1);
        }
        long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NOFILE, before);
        List<String> left = Alive.bearing(mark);
        return left.isEmpty() ? "" : "left " + left;
    }

    /// A render for which there is no thread fails, and the next one, when there is, works.
    private static String noThreads(CommandRunner runner, Path folder) {
        long before = Processes.softLimit(Processes.OURSELVES, Processes.RLIMIT_NPROC);
        long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NPROC, 1);
        String refused = "nothing was refused";
        try (ProcessTree tree = runner.open("no-threads", Shell.limits())) {
            Outcome _ = tree.run(Shell.script(folder, "echo a"), TimeLimits.NONE, new Cancellation());
        } catch (Fault fault) {
            refused = fault.code() == FaultCode.COMMAND_START ? "" : fault.toString();
        }
        long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NPROC, before);
        try (ProcessTree tree = runner.open("again", Shell.limits())) {
            Outcome outcome = tree.run(Shell.script(folder, "echo a"), TimeLimits.NONE, new Cancellation());
            return Shell.stdout(outcome).equals("a\n") ? refused : refused + ", then " + outcome;
        }
    }

    /// As process 1 we get every orphan of the container; those of `kubectl exec` were never ours.
    private static String processOne(CommandRunner runner, Path folder) throws IOException, InterruptedException {
        if (ProcessTable.self() != 1 || !runner.describe().contains("reaped as process 1")) {
            return "not process 1: " + runner.describe();
        }
        String escaped = escapes(runner, folder);
        Process foreign = new ProcessBuilder("/bin/sh", "-c", "(setsid sleep 0.2 &)").start();
        int status = foreign.waitFor();
        Thread.sleep(3 * OrphanReaper.INTERVAL_MILLIS);
        List<Integer> children = new ProcessTable().of(1);
        return status == 0 && escaped.isEmpty() && children.isEmpty()
                ? ""
                : "status " + status + ", escaped " + escaped + ", children " + children;
    }
}
