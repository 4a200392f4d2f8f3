package dev.remora.plugin;

import dev.remora.glob.FilePathGlob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The `remora:` block of a definition, which Argo CD's own server ignores. See `docs/spec/plugin-yaml.md`.
public record RemoraSettings(Limits limits, Output output, Optional<EnvironmentFilter> environment, Projects projects) {
    public static final RemoraSettings DEFAULTS =
            new RemoraSettings(Limits.DEFAULTS, Output.DEFAULTS, Optional.empty(), Projects.ALL);

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
}
