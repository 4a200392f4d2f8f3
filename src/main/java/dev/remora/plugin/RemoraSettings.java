package dev.remora.plugin;

import dev.remora.glob.FilePathGlob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The `remora:` block of a definition, which Argo CD's own server ignores. See `docs/spec/plugin-yaml.md`.
///
/// @param sandbox empty: the definition keeps the freedoms that Argo CD gives
/// @param worker empty: every call starts its command
/// @param refs whether `$ref` sources are laid beside the application; the repository side only
public record RemoraSettings(
        Limits limits,
        Output output,
        Optional<EnvironmentFilter> environment,
        Projects projects,
        Inputs inputs,
        Cache cache,
        Optional<Sandbox> sandbox,
        Optional<Worker> worker,
        boolean refs) {
    public static final RemoraSettings DEFAULTS = new RemoraSettings(
            Limits.DEFAULTS,
            Output.DEFAULTS,
            Optional.empty(),
            Projects.ALL,
            Inputs.ALL,
            Cache.NONE,
            Optional.empty(),
            Optional.empty(),
            false);

    /// Where a render stops. What is empty is not limited here.
    ///
    /// @param timeout for each command; the nearest of it, `ARGOCD_EXEC_TIMEOUT` and the caller's deadline fires
    /// @param parallel renders of this plugin at once; more wait in order
    /// @param output bytes of standard output; empty: what fits the reply
    /// @param unpacked bytes of all files of an archive
    /// @param files entries of an archive
    /// @param nameLength bytes of an entry's name
    /// @param depth folders above an entry
    /// @param ratio unpacked bytes for each compressed one
    /// @param processes alive at once in one render
    /// @param memory bytes of address space of each process
    /// @param openFiles descriptors of each process
    /// @param fileSize bytes of each file that a command writes
    /// @param cpu processor time of each process
    /// @param nice added to the niceness of commands
    public record Limits(
            Optional<Duration> timeout,
            OptionalInt parallel,
            OptionalLong output,
            long unpacked,
            long files,
            int nameLength,
            int depth,
            int ratio,
            int processes,
            OptionalLong memory,
            OptionalLong openFiles,
            OptionalLong fileSize,
            Optional<Duration> cpu,
            OptionalInt nice) {
        public static final Limits DEFAULTS = new Limits(
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                8L << 30,
                1_000_000,
                4096,
                128,
                1000,
                1024,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                OptionalInt.empty());
    }

    /// What an answer may hold.
    ///
    /// @param allowEmpty whether no document at all is a success
    /// @param forbid RE2 patterns, added to the defaults, that no key or scalar may contain
    /// @param allowCipherText whether SOPS cipher text and `sops` blocks may pass
    public record Output(boolean allowEmpty, List<String> forbid, boolean allowCipherText) {
        public static final Output DEFAULTS = new Output(false, List.of(), false);

        public Output {
            forbid = List.copyOf(forbid);
        }
    }

    /// Which variables of the server's own environment its commands see: names or globs such as `LC_*`.
    public record EnvironmentFilter(List<String> allow) {
        public EnvironmentFilter {
            allow = List.copyOf(allow);
        }

        public boolean allows(String name) {
            return allow.stream().anyMatch(pattern -> FilePathGlob.match(pattern, name));
        }
    }

    /// The AppProjects that may use the plugin.
    public record Projects(boolean all, List<String> names) {
        public static final Projects ALL = new Projects(true, List.of());

        public Projects {
            names = List.copyOf(names);
        }

        public boolean allow(String project) {
            return all || names.contains(project);
        }
    }

    /// What of a repository the plugin reads: only that is unpacked, and counts as changed.
    ///
    /// @param patterns globs; a leading `/` is the repository's root, `{app}` the application's folder
    public record Inputs(boolean all, List<String> patterns) {
        public static final Inputs ALL = new Inputs(true, List.of());
        public static final String APPLICATION = "{app}";

        public Inputs {
            patterns = List.copyOf(patterns);
        }

        /// Whether two applications of one repository see different files.
        public boolean dependOnApplication() {
            return patterns.stream().anyMatch(pattern -> pattern.startsWith(APPLICATION));
        }
    }

    /// Whether an answer may be given again.
    ///
    /// @param results while inputs, environment and plugin are the same
    /// @param maxAge after which an answer is made anew; empty: as long as there is room
    /// @param ignore variables that change nothing in an answer
    /// @param trace whether to report which files a command opened
    public record Cache(boolean results, Optional<Duration> maxAge, List<String> ignore, boolean trace) {
        public static final Cache NONE = new Cache(false, Optional.empty(), List.of(), false);

        public Cache {
            ignore = List.copyOf(ignore);
        }
    }

    /// What a strict sandbox allows beyond the system's files and the render's own folder.
    ///
    /// @param network empty: what fits the plugin
    /// @param readable absolute paths, with all below them
    /// @param writable the same; readable too
    public record Sandbox(
            Optional<Network> network, List<String> readable, List<String> writable, boolean unixSockets) {
        public static final Sandbox STRICT = new Sandbox(Optional.empty(), List.of(), List.of(), false);

        public Sandbox {
            readable = List.copyOf(readable);
            writable = List.copyOf(writable);
        }
    }

    /// Which sockets a command may make.
    public enum Network {
        /// None of an IP family.
        NONE,
        ANY
    }

    /// A process that stays and answers one request after another.
    ///
    /// @param requests after which it is started anew
    /// @param idle after which an unused one ends
    /// @param memory resident bytes above which it is started anew
    /// @param growth resident bytes beyond those after its first answer, above which it is started anew
    /// @param max a call starts one more only while fewer are alive in the server, over all plugins
    public record Worker(List<String> command, int requests, Duration idle, OptionalLong memory, long growth, int max) {
        public static final int REQUESTS = 1000;
        public static final Duration IDLE = Duration.ofMinutes(10);
        public static final long GROWTH = 256L << 20;
        public static final int MAX = 4;

        public Worker {
            command = List.copyOf(command);
        }
    }
}
