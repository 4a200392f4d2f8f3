package dev.remora.cli;

import dev.remora.archive.TextArchive;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What a bug report needs, in one file: what `doctor` found, versions, the environment, the kernel's view of this
/// process, settings and plugin definitions. Secrets are masked in every one, and all are looked at once more before
/// anything is written.
final class DoctorBundle {
    /// Of one file; what is longer is cut.
    private static final int MOST_BYTES = 256 << 10;

    private static final int MOST_DEFINITIONS = 50;
    private static final Path DEFINITIONS = Path.of("/home/argocd/cmp-server/config");
    private static final List<String> SYSTEM = List.of(
            "/etc/os-release",
            "/proc/version",
            "/proc/cmdline",
            "/proc/self/status",
            "/proc/self/limits",
            "/proc/self/cgroup",
            "/proc/self/mountinfo",
            "/proc/sys/kernel/yama/ptrace_scope",
            "/sys/kernel/security/lsm",
            "/sys/fs/cgroup/memory.max",
            "/sys/fs/cgroup/pids.max");

    private final Map<String, String> files = new LinkedHashMap<>();
    private final BundleMask mask;

    private DoctorBundle(BundleMask mask) {
        this.mask = mask;
    }

    /// @param text what the checks say
    static DoctorBundle collect(Console console, String text, String json) {
        DoctorBundle bundle = new DoctorBundle(new BundleMask(console.environment()));
        bundle.add("doctor.txt", text);
        bundle.add("doctor.json", json);
        bundle.add(
                "version.txt",
                "remora " + VersionCommand.version() + "\njava " + System.getProperty("java.runtime.version", "") + " "
                        + System.getProperty("java.vendor", "") + "\nsystem " + System.getProperty("os.name", "") + " "
                        + System.getProperty("os.version", "") + " " + System.getProperty("os.arch", "") + "\n");
        StringBuilder environment = new StringBuilder();
        new TreeMap<>(console.environment())
                .forEach((name, value) -> environment
                        .append(name)
                        .append('=')
                        .append(TextTable.shown(value))
                        .append('\n'));
        bundle.add("environment.txt", environment.toString());
        SYSTEM.forEach(file -> bundle.addFile("system" + file, Path.of(file)));
        bundle.addFile(RepositoryFile.NAME, console.directory().resolve(RepositoryFile.NAME));
        bundle.addDefinitions(DEFINITIONS);
        return bundle;
    }

    private void addDefinitions(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> found = Files.list(folder)) {
            found.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .limit(MOST_DEFINITIONS)
                    .forEach(file -> addFile("definitions/" + file.getFileName(), file));
        } catch (IOException e) {
            add("definitions/unreadable.txt", folder + ": " + Fault.words(e) + "\n");
        }
    }

    /// Nothing, if it is not there or not to be read.
    private void addFile(String name, Path file) {
        if (!Files.isRegularFile(file)) {
            return;
        }
        try (InputStream in = Files.newInputStream(file)) {
            add(name, new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (IOException notForUs) {
            add(name, "not readable: " + Fault.words(notForUs) + "\n");
        }
    }

    private void add(String name, String text) {
        files.put(name, mask.apply(text));
    }

    /// For people, before it is written.
    String listing(String file) {
        StringBuilder text = new StringBuilder(file).append(" will hold:\n");
        files.forEach((name, content) -> text.append("  ")
                .append(name)
                .append("  ")
                .append(content.getBytes(StandardCharsets.UTF_8).length)
                .append(" bytes\n"));
        return text.append(files.size())
                .append(" files, ")
                .append(secrets())
                .append(" secret values (checked)\n")
                .toString();
    }

    Map<String, Object> json(String file) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", file);
        json.put("files", List.copyOf(files.keySet()));
        json.put("secretValues", secrets());
        return json;
    }

    private long secrets() {
        return files.values().stream().filter(text -> !mask.isClean(text)).count();
    }

    /// @throws Fault OUTPUT_FOLDER where it cannot be written, or is there already
    void write(Path file) {
        if (secrets() > 0) {
            throw new Fault(FaultCode.INTERNAL, "a secret value would be in the bundle; nothing was written");
        }
        Map<String, byte[]> contents = new LinkedHashMap<>();
        files.forEach((name, text) -> contents.put("remora-doctor/" + name, text.getBytes(StandardCharsets.UTF_8)));
        try {
            Path made = Files.createFile(
                    file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(made, TextArchive.of(contents));
        } catch (IOException e) {
            throw new Fault(FaultCode.OUTPUT_FOLDER, "cannot write " + file + ": " + Fault.words(e), e);
        }
    }
}
