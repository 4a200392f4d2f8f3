package dev.remora.bench;

import dev.remora.bench.Contestant.Program;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Runs servers in turns (A B A B) on the same work and prints what they took. See `bench/README.md`.
///
/// Arguments: our program; environment: `ARGOCD_CMP_SERVER` names the other, `BENCH_ROUNDS` how often, `BENCH_ONLY` a
/// part of the names of the lines to run.
public final class Bench {
    private static final Path TMPFS = Path.of("/dev/shm");
    private static final int DEFAULT_ROUNDS = 5;
    /// Calls before measuring: the JIT compiler and page cache of either server.
    private static final int WARM_CALLS = 30;

    private final List<Program> programs;
    private final int rounds;
    private final String only;
    private final Figures figures;

    private Bench(List<Program> programs, int rounds, String only) {
        this.programs = programs;
        this.rounds = rounds;
        this.only = only;
        this.figures = new Figures(programs.stream().map(Program::name).toList());
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        var programs = new ArrayList<Program>();
        var ours = new ArrayList<String>(List.of(args[0], "serve"));
        String flags = System.getenv("BENCH_FLAGS");
        ours.addAll(
                flags == null || flags.isBlank()
                        ? List.of()
                        : List.of(flags.strip().split(" +")));
        programs.add(new Program("remora", ours));
        String other = System.getenv("ARGOCD_CMP_SERVER");
        if (other != null) {
            programs.add(new Program("argocd-cmp-server", List.of(other)));
        }
        String rounds = System.getenv("BENCH_ROUNDS");
        String only = System.getenv("BENCH_ONLY");
        new Bench(programs, rounds == null ? DEFAULT_ROUNDS : Integer.parseInt(rounds), only == null ? "" : only).run();
        System.exit(0); // gRPC's threads may linger
    }

    private void run() throws IOException, InterruptedException, ExecutionException {
        Path scratch = Files.createTempDirectory("rb");
        try {
            start(scratch);
            memory(scratch);
            for (Path place : Files.isDirectory(TMPFS) ? List.of(TMPFS, scratch) : List.of(scratch)) {
                calls(place, place.equals(TMPFS) ? "tmpfs" : "disk", scratch);
            }
        } finally {
            System.out.println(figures.table()); // also when a later line failed
            new ProcessBuilder("rm", "-rf", scratch.toString()).start().waitFor();
        }
    }

    private void start(Path scratch) throws IOException, InterruptedException {
        if (!wanted("start memory")) {
            return;
        }
        for (int round = 0; round < rounds * 2; round++) {
            for (Program program : programs) {
                try (Contestant contestant = Contestant.start(program, scratch, 1)) {
                    figures.add("start to listening, ms", program.name(), contestant.startMillis());
                    Thread.sleep(1000);
                    figures.add("memory after start, MiB", program.name(), contestant.residentMebibytes());
                }
            }
        }
    }

    /// 1,000 calls of 1 MiB one after another, then 60 of 10 MB eight at a time.
    private void memory(Path scratch) throws IOException, InterruptedException, ExecutionException {
        if (!wanted("loaded memory")) {
            return;
        }
        Workload one = Workload.of("1 MiB", 100, 2 * 10_486, scratch);
        Workload ten = Workload.of("10 MB", 100, 2 * 100_000, scratch);
        for (Program program : programs) {
            loaded(program, 1, one, ten, scratch);
        }
        loaded(programs.getFirst(), 5, one, ten, scratch);
    }

    private void loaded(Program program, int plugins, Workload one, Workload ten, Path scratch)
            throws IOException, InterruptedException, ExecutionException {
        String suffix = plugins == 1 ? "" : ", " + plugins + " plugins";
        try (Contestant contestant = Contestant.start(program, scratch, plugins)) {
            Thread.sleep(1000);
            if (plugins > 1) {
                figures.add("memory after start, MiB" + suffix, program.name(), contestant.residentMebibytes());
            }
            atOnce(contestant, one, 1, 1000);
            atOnce(contestant, ten, 8, 60);
            figures.add("memory after load, MiB" + suffix, program.name(), contestant.residentMebibytes());
            Thread.sleep(10_000);
            figures.add("memory 10 s after load, MiB" + suffix, program.name(), contestant.residentMebibytes());
        }
    }

    private void calls(Path place, String placeName, Path scratch)
            throws IOException, InterruptedException, ExecutionException {
        var contestants = new ArrayList<Contestant>();
        Path work = Files.createTempDirectory(place, "w");
        try {
            for (Program program : programs) {
                contestants.add(Contestant.start(program, work, 1));
            }
            Workload small = Workload.of("10 files", 10, 1_000, scratch);
            Workload middle = Workload.of("3,000 files, 10.6 MB", 3_000, 3_533, scratch);
            Workload large = Workload.of("10,000 files, 35 MB", 10_000, 3_533, scratch);
            if (placeName.equals("tmpfs")) {
                turns("config", contestants, 1, WARM_CALLS, c -> c.client().check());
            }
            recycled(placeName, contestants, small, middle, scratch);
            for (Workload work1 : List.of(small, middle, large)) {
                int calls = Math.max(1, 20 * 10 / (10 + work1.archive().length / 20_000));
                turns("match, " + work1.name() + ", " + placeName, contestants, 1, calls, c -> match(c, work1));
                turns("generate, " + work1.name() + ", " + placeName, contestants, 1, calls, c -> generate(c, work1));
            }
            turns("generate, 10 files, " + placeName + ", 8 at once", contestants, 8, 80, c -> generate(c, small));
            turns("generate, 10 files, " + placeName + ", 50 at once", contestants, 50, 200, c -> generate(c, small));
            turns(
                    "generate, " + middle.name() + ", " + placeName + ", 8 at once",
                    contestants,
                    8,
                    8,
                    c -> generate(c, middle));
        } finally {
            contestants.forEach(Contestant::close);
            new ProcessBuilder("rm", "-rf", work.toString()).start().waitFor();
        }
    }

    /// What a repository's next call is like: a few files changed; another repository; an archive not seen before.
    private void recycled(String place, List<Contestant> contestants, Workload small, Workload middle, Path scratch)
            throws IOException, InterruptedException, ExecutionException {
        turns("generate, 10 files, " + place + ", after 500 calls", contestants, 1, 500, c -> generate(c, small));
        if (wanted("generate, " + middle.name() + ", " + place + ", 10 files changed")) {
            List<Workload> versions = List.of(middle, middle.withTenFilesChanged(scratch));
            inTurn(
                    "generate, " + middle.name() + ", " + place + ", 10 files changed",
                    contestants,
                    versions,
                    Bench::generate);
        }
        List<Workload> twenty =
                IntStream.range(0, 20).mapToObj(i -> middle.again(i, i)).toList();
        inTurn(
                "generate, " + middle.name() + ", " + place + ", 20 repositories in turns",
                contestants,
                twenty,
                Bench::generate);
        List<Workload> fresh = IntStream.range(100, 100 + 10 * (rounds + 1) * contestants.size())
                .mapToObj(i -> middle.again(i, 0))
                .toList();
        inTurn("match, " + middle.name() + ", " + place + ", never seen before", contestants, fresh, Bench::match);
    }

    /// Each call takes the next work of the list.
    private void inTurn(String line, List<Contestant> contestants, List<Workload> works, Question question)
            throws IOException, InterruptedException, ExecutionException {
        var next = new AtomicInteger();
        turns(line, contestants, 1, 10, c -> question.on(c, works.get(next.getAndIncrement() % works.size())));
    }

    /// Each round measures each contestant once; a sample is milliseconds for one call: wall time over calls.
    private void turns(String line, List<Contestant> contestants, int parallel, int calls, Call call)
            throws IOException, InterruptedException, ExecutionException {
        if (!wanted(line)) {
            return;
        }
        for (Contestant contestant : contestants) {
            atOnce(contestant, parallel, Math.max(parallel, calls), call);
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contestants.size(); i++) {
                long cpu = contestants.get(i).cpuMillis();
                long began = System.nanoTime();
                atOnce(contestants.get(i), parallel, calls, call);
                double millis = (System.nanoTime() - began) / 1e6 / calls;
                figures.add(line + ", ms a call", programs.get(i).name(), millis);
                double busy = (contestants.get(i).cpuMillis() - cpu) / (double) calls;
                figures.add(line + ", CPU ms a call", programs.get(i).name(), busy);
            }
        }
    }

    private static void atOnce(Contestant contestant, Workload work, int parallel, int calls)
            throws InterruptedException, ExecutionException {
        atOnce(contestant, parallel, calls, c -> generate(c, work));
    }

    private static void atOnce(Contestant contestant, int parallel, int calls, Call call)
            throws InterruptedException, ExecutionException {
        if (parallel == 1) {
            for (int i = 0; i < calls; i++) {
                call.on(contestant);
            }
            return;
        }
        try (var workers = Executors.newFixedThreadPool(parallel)) {
            var running = new ArrayList<Future<?>>();
            for (int i = 0; i < calls; i++) {
                running.add(workers.submit(() -> call.on(contestant)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private static void generate(Contestant contestant, Workload work) {
        int manifests = contestant
                .client()
                .generate(work.metadata(), new ByteArrayInputStream(work.archive()))
                .getManifestsCount();
        if (manifests != 1) {
            throw new IllegalStateException("expected one manifest, got " + manifests);
        }
    }

    private static void match(Contestant contestant, Workload work) {
        if (!contestant
                .client()
                .match(work.metadata(), new ByteArrayInputStream(work.archive()))
                .getIsSupported()) {
            throw new IllegalStateException("the plugin does not want " + work.name());
        }
    }

    private boolean wanted(String line) {
        return line.contains(only);
    }

    @FunctionalInterface
    private interface Question {
        void on(Contestant contestant, Workload work);
    }

    @FunctionalInterface
    private interface Call {
        void on(Contestant contestant);
    }
}
