package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.sandbox.Fence;
import dev.remora.sandbox.FileFence;
import dev.remora.sandbox.SystemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What one render's process handling costs beside the JDK's own. Run by hand: `docs/concepts/processes.md` says how.
final class ProcessCost {
    private static final int WARM_UP = 300;
    private static final int RUNS = 1000;
    private static final List<Bytes> ENVIRONMENT = List.of(Bytes.utf8("PATH=/usr/bin:/bin"));

    private ProcessCost() {}

    public static void main(String[] arguments) throws Exception {
        long first = System.nanoTime();
        try (CommandRunner domain = CommandRunner.open(settings(ProcessSettings.Containment.BEST));
                CommandRunner marker = CommandRunner.open(settings(ProcessSettings.Containment.MARKER))) {
            boolean _ = render(domain, "true");
            System.out.printf("first render, classes and links included: %.0f ms%n", (System.nanoTime() - first) / 1e6);
            System.out.println(domain.describe());
            for (int round = 0; round < 2; round++) {
                measure("render in a signal domain, /bin/true", () -> render(domain, "true"));
                measure("render by marker, /bin/true", () -> render(marker, "true"));
                measure("ProcessBuilder, /bin/true, two pipes read", ProcessCost::builder);
            }
            SystemFiles files = new SystemFiles(System.getenv(), List.of());
            long before = System.nanoTime();
            int paths = files.readable().size();
            System.out.printf("system files: %d paths found in %.0f ms%n", paths, (System.nanoTime() - before) / 1e6);
            List<Bytes> writable = new ArrayList<>(SystemFiles.devices());
            writable.add(Bytes.utf8("/tmp"));
            Fence strict = new Fence.Strict(new FileFence(files.readable(), writable), Fence.Network.NONE, false);
            for (int round = 0; round < 2; round++) {
                measure("render behind no fence, /bin/true", () -> fenced(domain, Fence.OPEN));
                measure("render behind a compatible fence", () -> fenced(domain, Fence.COMPATIBLE));
                measure("render behind a strict fence", () -> fenced(domain, strict));
            }
            measure("render in a signal domain, two commands", () -> twice(domain));
            crowd(domain);
        }
    }

    private static ProcessSettings settings(ProcessSettings.Containment containment) {
        ProcessSettings standard = ProcessSettings.standard(Shell.SEARCH_PATH);
        return new ProcessSettings(standard.searchPath(), containment, standard.ending(), true, standard.closeGrace());
    }

    private static boolean render(CommandRunner runner, String program) {
        try (ProcessTree tree = runner.open("cost", Shell.limits())) {
            return succeeds(tree, program);
        }
    }

    private static boolean fenced(CommandRunner runner, Fence fence) {
        try (ProcessTree tree = runner.open("cost", Shell.limits(), fence)) {
            return succeeds(tree, "true");
        }
    }

    private static boolean twice(CommandRunner runner) {
        try (ProcessTree tree = runner.open("cost", Shell.limits())) {
            boolean first = succeeds(tree, "true");
            return succeeds(tree, "true") && first;
        }
    }

    private static boolean succeeds(ProcessTree tree, String program) {
        Command command = new Command(List.of(Bytes.utf8(program)), ENVIRONMENT, Bytes.utf8("/tmp"));
        return tree.run(command, TimeLimits.NONE, new Cancellation()) instanceof Outcome.Exited exited
                && exited.status() == 0;
    }

    private static boolean builder() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/true")
                .directory(Path.of("/tmp").toFile())
                .start();
        byte[] out = process.getInputStream().readAllBytes();
        byte[] err = process.getErrorStream().readAllBytes();
        return process.waitFor() == 0 && out.length + err.length == 0;
    }

    private static void measure(String name, Callable<Boolean> run) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            check(run.call());
        }
        long[] nanos = new long[RUNS];
        for (int i = 0; i < RUNS; i++) {
            long begun = System.nanoTime();
            check(run.call());
            nanos[i] = System.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "%-45s median %.2f ms, 90th of 100 %.2f ms%n",
                name,
                nanos[RUNS / 2] / 1e6,
                nanos[RUNS * 9 / 10] / 1e6);
    }

    private static void crowd(CommandRunner runner) throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            long begun = System.nanoTime();
            List<Future<Boolean>> all = java.util.stream.IntStream.range(0, RUNS)
                    .mapToObj(i -> callers.submit(() -> render(runner, "true")))
                    .toList();
            for (Future<Boolean> each : all) {
                check(each.get());
            }
            System.out.printf(
                    Locale.ROOT, "%d renders at once: %.2f ms each%n", RUNS, (System.nanoTime() - begun) / 1e6 / RUNS);
        }
    }

    private static void check(boolean succeeded) {
        if (!succeeded) {
            throw new IllegalStateException("a run failed");
        }
    }
}
