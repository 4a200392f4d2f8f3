package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileType;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// What every strict render may read: the system and the tools, found on this machine instead of guessed. The system's
/// folders; what of `/etc` every user may read; the folders of the PATH with what belongs to them, wherever they lie;
/// the places that links in them lead to; what variables such as `LD_LIBRARY_PATH` name; and what the kernel tells
/// about itself.
///
/// Looked for once, when first asked, which takes some ten milliseconds. The lock guards the answer.
public final class SystemFiles {
    private static final List<String> FOLDERS =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store");

    /// Processes see one another's names and states there; what else it holds of others a domain refuses.
    private static final List<String> KERNEL =
            List.of("/proc", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage");

    private static final List<Bytes> DEVICES = Stream.of(
                    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
            .map(Bytes::utf8)
            .toList();

    /// Of the server's own environment: lists of files and folders that tools read.
    private static final List<String> VARIABLES = List.of(
            "LD_LIBRARY_PATH",
            "JAVA_HOME",
            "PYTHONHOME",
            "PYTHONPATH",
            "NODE_PATH",
            "NODE_EXTRA_CA_CERTS",
            "PERL5LIB",
            "GEM_HOME",
            "GEM_PATH",
            "GIT_EXEC_PATH",
            "GIT_SSL_CAINFO",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "SSL_CERT_DIR",
            "SSL_CERT_FILE");

    /// What lies beside a `bin` and belongs to its programs.
    private static final List<String> BESIDE_BIN = List.of("lib", "lib64", "libexec", "share", "conf", "pyvenv.cfg");

    private static final Bytes BIN = Bytes.utf8("bin");
    private static final Bytes ETC = Bytes.utf8("/etc");
    private static final Bytes ROOT = Bytes.utf8("/");
    private static final int MOST_LINKS = 20_000;

    private final Map<String, String> environment;
    private final List<Bytes> closed;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Bytes> readable = List.of();

    /// @param environment the server's own
    /// @param closed places that nothing found may open: work folders, homes, definitions, sockets
    public SystemFiles(Map<String, String> environment, List<Bytes> closed) {
        this.environment = Map.copyOf(environment);
        this.closed = Stream.concat(
                        closed.stream(),
                        Stream.of(environment.getOrDefault("HOME", ""), "/var/run/secrets", "/run/secrets")
                                .map(Bytes::utf8))
                .toList();
    }

    /// Files and folders to read and run.
    public List<Bytes> readable() {
        lock.lock();
        try {
            if (readable.isEmpty()) {
                readable = find();
            }
            return readable;
        } finally {
            lock.unlock();
        }
    }

    /// Devices that hold nothing of anybody.
    public static List<Bytes> devices() {
        return DEVICES;
    }

    private List<Bytes> find() {
        FoundFiles found = new FoundFiles(closed);
        Stream.concat(FOLDERS.stream(), KERNEL.stream()).map(Bytes::utf8).forEach(found::add);
        OwnCode.paths().forEach(found::add);
        PublicEntries.addTo(found, ETC);
        List<Bytes> programs = listed("PATH");
        programs.forEach(folder -> addTools(found, folder));
        VARIABLES.stream().flatMap(name -> listed(name).stream()).forEach(found::add);
        programs.forEach(folder -> addLinkEnds(found, folder));
        return found.paths();
    }

    private List<Bytes> listed(String variable) {
        return Stream.of(environment.getOrDefault(variable, "").split(":", -1))
                .map(Bytes::utf8)
                .filter(LexicalPath::isAbsolute)
                .toList();
    }

    /// A folder of programs, and of a `bin` what lies beside it.
    private static void addTools(FoundFiles found, Bytes folder) {
        Bytes real = FoundFiles.real(folder).orElse(Bytes.EMPTY);
        if (real.isEmpty() || found.covers(real)) {
            return;
        }
        found.add(real);
        Bytes parent = real.slice(0, Math.max(0, real.lastIndexOf((byte) '/')));
        if (!parent.isEmpty() && real.slice(parent.length() + 1, real.length()).equals(BIN)) {
            BESIDE_BIN.forEach(name -> found.add(parent.slash(Bytes.utf8(name))));
        }
    }

    /// A link in a folder of programs names a program elsewhere: its folder holds what it needs.
    private static void addLinkEnds(FoundFiles found, Bytes folder) {
        for (Bytes link : links(folder)) {
            Bytes end = FoundFiles.real(link).orElse(Bytes.EMPTY);
            if (!end.isEmpty() && !found.covers(end)) {
                Bytes home = end.slice(0, Math.max(0, end.lastIndexOf((byte) '/')));
                addTools(found, home.isEmpty() ? ROOT : home);
                found.add(end);
            }
        }
    }

    private static List<Bytes> links(Bytes folder) {
        List<Bytes> links = new ArrayList<>();
        try (Directory directory = Directory.open(folder)) {
            for (DirectoryEntry entry : directory.list()) {
                if (entry.type() == FileType.SYMLINK && links.size() < MOST_LINKS) {
                    links.add(folder.slash(entry.name()));
                }
            }
        } catch (ErrnoException e) {
            return links; // A folder of the PATH that is not there.
        }
        return links;
    }
}
