package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Nothing adds up over many renders.
@EnabledOnOs(OS.LINUX)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ManyTreesTest {
    private static final long SEED = 20_261_130;
    private static final String DAEMON = "(setsid sh -c 'sleep 300 & exec sleep 300' >/dev/null 2>&1 &); ";

    @TempDir
    private Path folder;

    @Test
    void hundredsOfTreesKilledAtRandomLeaveNothing() throws IOException, InterruptedException {
        assumeTrue(Sandbox.scopesSignals(), "needs Landlock ABI 6");
        Random random = new Random(SEED);
        String mark = "MARK_" + System.nanoTime();
        try (CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH))) {
            oneTree(runner, mark, random, 0);
            int files = OpenFiles.count();
            int threads = platformThreads();

            for (int i = 0; i < 400; i++) {
                oneTree(runner, mark, random, i);
            }

            assertThat(Alive.bearing(mark)).isEmpty();
            assertThat(zombies()).isEmpty();
            assertThat(OpenFiles.count()).isEqualTo(files);
            assertThat(platformThreads()).isLessThanOrEqualTo(threads + 2);
            assertThat(OpenFiles.restrictedThreads()).isEmpty();
        }
    }

    private void oneTree(CommandRunner runner, String mark, Random random, int index) throws InterruptedException {
        String script = (random.nextBoolean() ? DAEMON : "")
                + (random.nextInt(4) == 0 ? "trap '' TERM; " : "")
                + (random.nextInt(3) == 0 ? "sleep 300" : "echo done");
        Cancellation cancellation = new Cancellation();
        long delay = random.nextLong(30_000_000);
        Thread canceller = Thread.ofVirtual().start(() -> {
            java.util.concurrent.locks.LockSupport.parkNanos(delay);
            cancellation.cancel("at random");
        });
        TimeLimits time = Shell.within(Duration.ofMillis(5 + random.nextInt(40)), Duration.ofMillis(10));
        try (ProcessTree tree = runner.open("n" + index, Shell.limits())) {
            Outcome outcome = tree.run(Shell.marked(folder, mark, script), time, cancellation);
            assertThat(outcome).isInstanceOfAny(Outcome.Exited.class, Outcome.Cancelled.class, Outcome.TimedOut.class);
        }
        canceller.join();
    }

    @Test
    void fiftyTreesAtOnceKeepTheirOutputsApart() throws IOException, InterruptedException, ExecutionException {
        String mark = "MARK_" + System.nanoTime();
        try (CommandRunner runner = CommandRunner.open(ProcessSettings.standard(Shell.SEARCH_PATH));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> outputs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                outputs.add(callers.submit(() -> output(runner, mark, number)));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(outputs.get(i).get()).isEqualTo("tree " + i + "\n");
            }
            assertThat(Alive.bearing(mark)).isEmpty();
            assertThat(zombies()).isEmpty();
            assertThat(OpenFiles.restrictedThreads()).isEmpty();
        }
    }

    private String output(CommandRunner runner, String mark, int number) {
        try (ProcessTree tree = runner.open("n" + number, Shell.limits())) {
            String script = DAEMON + "sleep 0.2; echo tree " + number;
            return Shell.stdout(tree.run(Shell.marked(folder, mark, script), TimeLimits.NONE, new Cancellation()));
        }
    }

    /// Children of this JVM that have ended and that nobody reaped. A tree reaps its own before it is closed.
    private static List<Integer> zombies() {
        ProcessTable table = new ProcessTable();
        return table.of(ProcessTable.self()).stream()
                .filter(pid -> table.stat(pid).filter(stat -> !stat.alive()).isPresent())
                .toList();
    }

    private static int platformThreads() {
        String[] names = new java.io.File("/proc/self/task").list();
        return names == null ? -1 : names.length;
    }
}
