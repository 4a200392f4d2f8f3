package dev.remora.sidecar;

import com.google.protobuf.Empty;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.process.Command;
import dev.remora.process.CommandFaults;
import dev.remora.process.CommandLimits;
import dev.remora.process.Outcome;
import dev.remora.process.ProcessTree;
import dev.remora.process.TimeLimit;
import dev.remora.process.TimeLimits;
import dev.remora.telemetry.Phase;
import dev.remora.telemetry.Phases;
import dev.remora.wire.VersionMessage;
import dev.remora.wire.VersionServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/// The version service: this program's version, and those of the tools that Argo CD's server reports. The tools are
/// asked once, when somebody first wants to know; why a tool could not be asked takes the place of its version.
/// Mutable: `answer` is set once under `lock`.
final class VersionAnswers extends VersionServiceGrpc.VersionServiceImplBase {
    private static final int MOST_OUTPUT = 64 * 1024;

    private final ServerParts parts;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<VersionMessage> answer = Optional.empty();

    VersionAnswers(ServerParts parts, Executor executor) {
        this.parts = parts;
        this.executor = executor;
    }

    @Override
    public void version(Empty request, StreamObserver<VersionMessage> out) {
        executor.execute(() -> {
            out.onNext(answer());
            out.onCompleted();
        });
    }

    private VersionMessage answer() {
        lock.lock();
        try {
            if (answer.isEmpty()) {
                answer = Optional.of(VersionMessage.newBuilder()
                        .setVersion(parts.options().surroundings().version())
                        .setGoVersion("java" + Runtime.version())
                        .setCompiler("javac")
                        .setPlatform(platform())
                        .setKustomizeVersion(tool("kustomize", "version", "--short"))
                        .setHelmVersion(tool("helm", "version", "--short"))
                        .build());
            }
            return answer.get();
        } finally {
            lock.unlock();
        }
    }

    private static String platform() {
        String machine = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/"
                + (machine.equals("aarch64") ? "arm64" : machine);
    }

    private String tool(String... argv) {
        List<Bytes> words = new ArrayList<>();
        for (String word : argv) {
            words.add(Bytes.utf8(word));
        }
        Command command = new Command(
                words,
                parts.environment().with(List.of(), name -> true),
                parts.workRoot().path());
        TimeLimits time = new TimeLimits(
                List.of(TimeLimit.after(
                        "ARGOCD_EXEC_TIMEOUT",
                        parts.options().times().execTimeout(),
                        System.nanoTime(),
                        "ARGOCD_EXEC_TIMEOUT")),
                parts.options().times().fatalTimeout(),
                OptionalLong.empty());
        try (ProcessTree tree = parts.runner().open("version", CommandLimits.ofOutput(MOST_OUTPUT))) {
            Outcome outcome = tree.run(command, time, new Cancellation());
            return new CommandFaults(new Phases(), Phase.GENERATE)
                    .of(command, outcome)
                    .map(dev.remora.fault.Fault::words)
                    .orElseGet(() -> new String(outcome.output().stdout(), StandardCharsets.UTF_8).strip());
        }
    }
}
