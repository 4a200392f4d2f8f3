package dev.remora.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.Fault;
import dev.remora.protocol.ClientOptions;
import dev.remora.protocol.PluginClient;
import dev.remora.workspace.RecycleOptions;
import io.grpc.Context;
import io.grpc.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Many renders in a row, a third of them ended at a random moment: cancelled, out of time, or their command killed.
/// Afterwards the server has no process, file, descriptor or thread more than before. `-Dremora.endurance=10000` sets
/// how many.
@EnabledOnOs(OS.LINUX)
class EnduranceTest {
    private static final int RENDERS = Integer.getInteger("remora.endurance", 600);
    private static final int AT_ONCE = 8;

    /// The work folder, what is in it beside trees: `_cmp_server`, its lock, the server's folder, its lock and clock.
    private static final int FILES_OF_ROOT = 6;
    /// As many trees lie idle as may: each with its place and one file.
    private static final int FILES_OF_TREES = 3 * RecycleOptions.DEFAULT.trees();
    private static final int LATEST_MILLIS = 250;
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(60);
    private static final SmallArchive ARCHIVE =
            SmallArchive.of(Map.of("a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"));

    /// Never ends by itself: asked politely, asked in vain, or with a daemon beside it.
    private static final String DOOMED = "case $KIND in deaf) trap '' TERM INT HUP ;;"
            + " daemon) (setsid sh -c 'trap : TERM; setsid sleep 300 & sleep 300' >/dev/null 2>&1 &) ;; esac;"
            + " cat a.yaml; sleep 300; sleep 300; sleep 300";

    private static final List<String> KINDS = List.of("plain", "deaf", "daemon");

    @TempDir
    Path folder;

    private final ScheduledExecutorService fate = Executors.newScheduledThreadPool(2);

    @Test
    void nothingPilesUpWhenRendersAreEndedAtRandomMoments() throws Exception {
        Map<String, String> definitions = Map.of(
                "quick", RunningSidecar.definition("quick", "cat a.yaml"),
                "doomed", RunningSidecar.definition("doomed", DOOMED));
        try (ServerProcess server = ServerProcess.start(folder, definitions, "ARGOCD_EXEC_FATAL_TIMEOUT=1s")) {
            assertThat(all(server, 20 * AT_ONCE)).isEmpty();
            ServerProcess.Held first = server.settled(held -> held.processes() == 0, SETTLED_WITHIN);
            ServerProcess.Held before =
                    new ServerProcess.Held(0, first.descriptors(), first.threads(), FILES_OF_ROOT + FILES_OF_TREES);
            long begun = System.nanoTime();
            assertThat(all(server, RENDERS)).isEmpty();
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            ServerProcess.Held after = server.settled(held -> held.isWithin(before), SETTLED_WITHIN);
            System.out.printf("%d renders in %ds: before %s, after %s%n", RENDERS, took.toSeconds(), before, after);
            assertThat(after.isWithin(before))
                    .as("%s, before %s: %s", after, before, files())
                    .isTrue();
        } finally {
            fate.shutdownNow();
        }
    }

    private List<String> files() throws IOException {
        Path work = folder.resolve("work");
        try (Stream<Path> all = Files.walk(work)) {
            return all.map(file -> work.relativize(file).toString()).sorted().toList();
        }
    }

    /// What went wrong, of `renders` renders.
    private List<String> all(ServerProcess server, int renders) throws Exception {
        try (ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Callable<List<String>>> work = new ArrayList<>();
            for (int caller = 0; caller < AT_ONCE; caller++) {
                long seed = caller;
                work.add(() -> some(server, renders / AT_ONCE, new Random(seed)));
            }
            List<String> wrong = new ArrayList<>();
            for (Future<List<String>> some : callers.invokeAll(work)) {
                wrong.addAll(some.get());
            }
            return wrong;
        }
    }

    private List<String> some(ServerProcess server, int renders, Random random) throws Exception {
        List<String> wrong = new ArrayList<>();
        try (PluginClient quick = PluginClient.connect(server.socket("quick"), ClientOptions.DEFAULT);
                PluginClient doomed = PluginClient.connect(server.socket("doomed"), ClientOptions.DEFAULT)) {
            for (int i = 0; i < renders; i++) {
                if (i % 3 == 2) {
                    doomed(server, doomed, random).ifPresent(wrong::add);
                } else {
                    List<String> made = RunningSidecar.texts(quick.generate(ARCHIVE.metadata("."), ARCHIVE.stream()));
                    if (made.size() != 1) {
                        wrong.add("quick gave " + made);
                    }
                }
            }
        }
        return wrong;
    }

    private Optional<String> doomed(ServerProcess server, PluginClient client, Random random) throws Exception {
        int moment = random.nextInt(LATEST_MILLIS);
        String kind = KINDS.get(random.nextInt(KINDS.size()));
        int end = random.nextInt(3);
        Deadline last = end == 0 ? Deadline.after(moment, TimeUnit.MILLISECONDS) : Deadline.after(1, TimeUnit.MINUTES);
        try (Context.CancellableContext context = Context.current().withDeadline(last, fate)) {
            Future<?> fated = switch (end) {
                case 1 -> fate.schedule(() -> context.cancel(null), moment, TimeUnit.MILLISECONDS);
                case 2 ->
                    fate.scheduleWithFixedDelay(
                            () -> server.killCommand("case $KIND"), moment, LATEST_MILLIS, TimeUnit.MILLISECONDS);
                default -> fate.schedule(() -> {}, moment, TimeUnit.MILLISECONDS);
            };
            try {
                return context.call(() -> ended(client, kind));
            } finally {
                fated.cancel(false);
            }
        }
    }

    private static Optional<String> ended(PluginClient client, String kind) {
        try {
            client.generate(ARCHIVE.metadata(".", "KIND", kind), ARCHIVE.stream());
            return Optional.of("a command that never ends has ended");
        } catch (Fault fault) {
            String text = fault.getMessage() + " " + fault.getCause();
            boolean expected =
                    text.contains("CANCELLED") || text.contains("DEADLINE") || text.contains("signal: killed");
            return expected ? Optional.empty() : Optional.of(text);
        }
    }
}
