package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.CFunction;
import dev.remora.posix.LexicalPath;
import dev.remora.posix.Libc;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Says, of a command that failed behind a fence, what the fence likely refused and the line of the definition that
/// would allow it.
///
/// The kernel tells nobody what it refused; but programs do, each in its own words. So their words are looked through
/// for refusals and paths, and then a second look is taken from outside: is the path outside the fence, and would it be
/// open without? What the server itself may not touch, no fence refused. It stays a guess, and says so.
public final class Refusals {
    private static final Pattern REFUSED = Pattern.compile(
            "permission ?denied|operation not permitted|\\bEACCES\\b|\\bEPERM\\b|access ?denied|PermissionError",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern WRITING = Pattern.compile(
            "creat|writ|mkdir|mkstemp|unlink|remov|renam|touch|\\bsave|\\btee\\b|\\bmv\\b|\\bcp\\b|lock",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern NETWORK = Pattern.compile(
            "could not resolve|name resolution|name or service not known|getaddrinfo|no such host|\\bEAI_AGAIN\\b"
                    + "|\\bENOTFOUND\\b|UnknownHost|SocketException|dial (?:tcp|udp)|socket: permission|socket\\.py|socket\\.socket"
                    + "|network is unreachable|create socket",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern HOST = Pattern.compile(
            "(?:resolve host:?|lookup|dial (?:tcp|udp)|connect to|ENOTFOUND|EAI_AGAIN|UnknownHostException:)\\s+"
                    + "'?([A-Za-z0-9\\[][A-Za-z0-9.:\\]_-]*[A-Za-z0-9\\]])",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern UNIX = Pattern.compile("\\bunix\\b|\\.sock\\b|AF_UNIX", Pattern.CASE_INSENSITIVE);
    private static final Pattern PRIVILEGED = Pattern.compile(
            "unshare|namespace|\\bmount|ptrace|io_uring|keyctl|\\bbpf|perf_event|userfaultfd|set[ug]id|sudo|chown"
                    + "|new privileges",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern PATH =
            Pattern.compile("(?<![\\w./-])(/[^\\s'\"`\u2018\u2019\u201c\u201d:,;()<>\\[\\]{}|&=]+)");

    /// No setting opens another process's files.
    private static final List<Bytes> KERNEL = List.of(Bytes.utf8("/proc"), Bytes.utf8("/sys"));

    private static final int MOST_LINES = 2000;
    private static final int LONGEST_LINE = 4096;
    private static final int MOST_ANSWERS = 3;
    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final String SETTING = "remora: {sandbox: {";

    private final Fence fence;
    private final Set<String> answers = new LinkedHashSet<>();
    private boolean unexplained;

    private Refusals(Fence fence) {
        this.fence = fence;
    }

    /// What the fence likely refused, and what would allow it.
    ///
    /// @param said what the command printed on standard error, or why it did not start
    public static Optional<String> explain(Fence fence, String said) {
        Refusals refusals = new Refusals(fence);
        said.lines()
                .limit(MOST_LINES)
                .map(line -> line.substring(0, Math.min(line.length(), LONGEST_LINE)))
                .forEach(refusals::line);
        return refusals.answer();
    }

    private Optional<String> answer() {
        if (!answers.isEmpty()) {
            return Optional.of("likely the sandbox: "
                    + String.join("; ", answers.stream().limit(MOST_ANSWERS).toList()));
        }
        return unexplained
                ? Optional.of("perhaps the sandbox; remora explain FOLDER --plugin FILE --sandbox shows what the"
                        + " commands need")
                : Optional.empty();
    }

    private void line(String line) {
        boolean refused = REFUSED.matcher(line).find();
        if (refused && PRIVILEGED.matcher(line).find() && !(fence instanceof Fence.Open)) {
            answers.add("commands get no privileges, namespaces or mounts, and no setting gives them: \"" + line.strip()
                    + "\"");
        } else if (fence instanceof Fence.Strict strict) {
            if (!network(strict, line, refused) && refused) {
                paths(strict, line);
            }
        }
    }

    private boolean network(Fence.Strict strict, String line, boolean refused) {
        if (strict.network() == Fence.Network.NONE && NETWORK.matcher(line).find()) {
            Matcher host = HOST.matcher(line);
            answers.add("the network was refused" + (host.find() ? " (" + host.group(1) + ")" : "") + "; allow it by "
                    + SETTING + "network: any}}");
            return true;
        }
        if (!strict.unixSockets() && refused && UNIX.matcher(line).find()) {
            answers.add("a Unix socket was refused; allow them by " + SETTING + "unixSockets: true}}");
            return true;
        }
        return false;
    }

    private void paths(Fence.Strict strict, String line) {
        boolean writing = WRITING.matcher(line).find();
        boolean any = false;
        Matcher path = PATH.matcher(line);
        while (path.find()) {
            any = true;
            if (path.start() == 0 && PATH.matcher(line).results().count() > 1) {
                continue; // Who speaks, as in "/bin/sh: 1: cannot create /x: Permission denied".
            }
            String text = path.group(1).replaceAll("[.!?]+$", "");
            secondLook(strict.files(), text, writing).ifPresent(answers::add);
        }
        unexplained |= !any;
    }

    private static Optional<String> secondLook(FileFence files, String text, boolean writing) {
        Bytes path = LexicalPath.clean(Bytes.utf8(text));
        if (KERNEL.stream().anyMatch(folder -> FoundFiles.isBelow(path, folder))) {
            return Optional.empty();
        }
        Optional<Bytes> found = FoundFiles.real(path);
        Bytes folder = folder(path);
        Bytes real =
                found.orElseGet(() -> FoundFiles.real(folder).orElse(folder).slash(name(path)));
        if (within(files.writable(), real)) {
            return Optional.empty();
        }
        boolean readable = within(files.readable(), real) || within(OwnCode.paths(), real);
        if (found.isPresent() && !readable && !writing && may(path, READ)) {
            return Optional.of(
                    "reading " + path + " was refused; allow it by " + SETTING + "readable: [" + path + "]}}");
        }
        boolean change = writing || readable || found.isEmpty();
        Bytes place = found.isPresent() ? path : folder;
        if (change && may(place, WRITE)) {
            return Optional.of(
                    "writing " + path + " was refused; allow it by " + SETTING + "writable: [" + place + "]}}");
        }
        return Optional.empty();
    }

    private static boolean within(List<Bytes> allowed, Bytes real) {
        return allowed.stream()
                .flatMap(each -> Stream.concat(Stream.of(each), FoundFiles.real(each).stream()))
                .anyMatch(each -> FoundFiles.isBelow(real, each));
    }

    private static Bytes folder(Bytes path) {
        int slash = path.lastIndexOf((byte) '/');
        return slash <= 0 ? Bytes.utf8("/") : path.slice(0, slash);
    }

    private static Bytes name(Bytes path) {
        return path.slice(path.lastIndexOf((byte) '/') + 1, path.length());
    }

    /// Whether we ourselves may, who are behind no fence.
    private static boolean may(Bytes path, int mode) {
        if (path.indexOf((byte) 0, 0) >= 0) {
            return false;
        }
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.EACCESS, libc.string(path), mode) == 0;
        }
    }
}
