package dev.remora.sandbox;

import dev.remora.posix.Libc;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What this kernel lets us forbid a render: each layer was put on a thread made for that, and tried.
///
/// @param landlock the kernel's version of it, 0 without
/// @param missing the layers that do not hold, and why
public record KernelSupport(int landlock, Map<Layer, String> missing) {
    /// One thing that can be forbidden.
    public enum Layer {
        NO_NEW_PRIVILEGES(
                "no-new-privileges",
                "set-user-id programs gain nothing",
                "set-user-id programs could gain rights",
                "Linux 3.5"),
        CAPABILITIES(
                "capabilities",
                "commands have no capabilities",
                "commands keep the server's capabilities",
                "any Linux"),
        FILES(
                "files",
                "a file outside the fence was refused",
                "files are not fenced, also not for strict plugins",
                "Landlock (Linux 5.13, lsm=landlock)"),
        MOVES(
                "moves",
                "moves between folders are fenced",
                "strict commands cannot move files between folders",
                "Landlock 2 (Linux 5.19)"),
        TRUNCATION(
                "truncation",
                "truncation is fenced",
                "strict commands may empty files that they may not write",
                "Landlock 3 (Linux 6.2)"),
        TCP("tcp", "a TCP port was refused", "TCP is fenced by the system call filter alone", "Landlock 4 (Linux 6.7)"),
        DEVICES("devices", "device controls are fenced", "device controls are not fenced", "Landlock 5 (Linux 6.10)"),
        ABSTRACT_SOCKETS(
                "abstract-sockets",
                "another's abstract socket was refused",
                "renders may reach abstract sockets of others",
                "Landlock 6 (Linux 6.12)"),
        SIGNALS(
                "signals",
                "a signal to another's process was refused",
                "renders may signal one another",
                "Landlock 6 (Linux 6.12)"),
        SYSTEM_CALLS(
                "system-calls",
                "an IP socket and ptrace were refused",
                "sockets and dangerous system calls are not fenced",
                "seccomp filters (Linux 3.5, CONFIG_SECCOMP_FILTER)");

        private final String word;
        private final String promise;
        private final String consequence;
        private final String since;

        Layer(String word, String promise, String consequence, String since) {
            this.word = word;
            this.promise = promise;
            this.consequence = consequence;
            this.since = since;
        }

        /// As messages, metrics and reports name it.
        public String word() {
            return word;
        }

        /// What holds with it.
        public String promise() {
            return promise;
        }

        /// What does not hold without it.
        public String consequence() {
            return consequence;
        }

        /// What has it.
        public String since() {
            return since;
        }
    }

    public KernelSupport {
        missing = missing.isEmpty() ? Map.of() : Map.copyOf(missing);
    }

    /// Tries everything, in about a millisecond. Nothing of it stays on the calling thread.
    public static KernelSupport probe() {
        Optional<String> unsupported = Libc.unsupported();
        return unsupported.isPresent() ? nothing(unsupported.get()) : KernelTrial.run();
    }

    /// As [#probe], for people who wait: also a real signal is tried, on a program that is started for that.
    public static KernelSupport probeThoroughly() {
        Optional<String> unsupported = Libc.unsupported();
        return unsupported.isPresent() ? nothing(unsupported.get()) : KernelTrial.runWithVictim();
    }

    /// Where nothing can be tried.
    public static KernelSupport nothing(String why) {
        Map<Layer, String> missing = new EnumMap<>(Layer.class);
        Arrays.stream(Layer.values()).forEach(layer -> missing.put(layer, why));
        return new KernelSupport(0, missing);
    }

    public boolean has(Layer layer) {
        return !missing.containsKey(layer);
    }

    /// Whether a strict sandbox keeps what it is for: files and sockets.
    public boolean canBeStrict() {
        return has(Layer.FILES) && has(Layer.SYSTEM_CALLS) && has(Layer.NO_NEW_PRIVILEGES);
    }

    /// The words of the layers that do not hold, in the order of [Layer].
    public List<String> lacking() {
        return missing.isEmpty()
                ? List.of()
                : Arrays.stream(Layer.values())
                        .filter(layer -> !has(layer))
                        .map(Layer::word)
                        .toList();
    }

    /// One line for logs, probes and reports.
    public String describe() {
        if (missing.isEmpty()) {
            return "all layers hold (Landlock " + landlock + ", seccomp)";
        }
        List<String> words = Arrays.stream(Layer.values())
                .filter(layer -> !has(layer))
                .map(layer -> layer.consequence() + " (needs " + layer.since() + ": " + missing.get(layer) + ")")
                .toList();
        return String.join("; ", words);
    }
}
