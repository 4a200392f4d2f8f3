package dev.remora.cli;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.sandbox.Access;
import dev.remora.sandbox.Access.Use;
import dev.remora.sandbox.FileFence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The `sandbox:` block that lets a render do what it was seen to do, and no more: as small as can be said by files and
/// folders.
///
/// A file that lies beside another that is needed, or that is reached through a link of its own folder (as Kubernetes
/// mounts Secrets, whose files move at every rotation), is allowed by its folder; a lone file by itself. Folders that
/// hold much of others (`/`, `/tmp`, `/home`, ...) never stand for their files.
final class SandboxProposal {
    private static final Bytes ROOT = Bytes.utf8("/");
    private static final Bytes TMP = Bytes.utf8("/tmp");
    /// Shells look for a terminal; no render has one.
    private static final Bytes TERMINAL = Bytes.utf8("/dev/tty");

    private static final int OF_OTHERS_DEPTH = 1;
    private static final int MOST_REASONS = 3;

    private final UnaryOperator<Bytes> real;
    private final Map<Bytes, Set<String>> readable = new TreeMap<>();
    private final Map<Bytes, Set<String>> writable = new TreeMap<>();
    private final Set<String> network = new LinkedHashSet<>();
    private final Set<String> unixSockets = new LinkedHashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();

    /// @param granted what every strict render of the definition may reach
    /// @param real a path without links, itself where there is nothing
    SandboxProposal(List<Access> accesses, FileFence granted, UnaryOperator<Bytes> real) {
        this.real = real;
        List<Bytes> readableAlready = granted.readable().stream().map(real).toList();
        List<Bytes> writableAlready = granted.writable().stream().map(real).toList();
        List<Access.File> reads = new ArrayList<>();
        for (Access access : accesses) {
            switch (access) {
                case Access.File file -> {
                    boolean covered = file.real().equals(TERMINAL)
                            || below(file.real(), writableAlready)
                            || (!writes(file.use()) && below(file.real(), readableAlready));
                    if (covered) {
                        continue;
                    }
                    if (writes(file.use())) {
                        write(file);
                    } else {
                        reads.add(file);
                    }
                }
                case Access.Socket socket -> socket(socket);
                case Access.Peer peer -> peer(peer);
                case Access.Forbidden forbidden ->
                    notes.add(forbidden.program() + " calls " + name(forbidden)
                            + ", which no setting of a sandbox allows; many programs do without");
            }
        }
        read(reads);
        keepTopmost(readable);
        keepTopmost(writable);
        leaveReadableWhatIsNotWritable();
    }

    private static String name(Access.Forbidden forbidden) {
        return forbidden.call().name().toLowerCase(Locale.ROOT);
    }

    private static boolean writes(Use use) {
        return use == Use.WRITE || use == Use.CHANGE;
    }

    private void write(Access.File file) {
        if (file.asked().equals(ROOT)) {
            notes.add(file.program() + " wants to write into /, which is not proposed");
            return;
        }
        add(writable, file.asked(), reason(file));
        if (file.asked().equals(TMP)) {
            notes.add("/tmp is shared by all renders: better let " + file.program()
                    + " use $TMPDIR, which a strict render has of its own");
        }
    }

    private void read(List<Access.File> files) {
        Map<Bytes, List<Access.File>> byFolder = files.stream()
                .filter(file -> file.use() != Use.LIST)
                .collect(Collectors.groupingBy(file -> parent(file.asked()), LinkedHashMap::new, Collectors.toList()));
        files.stream().filter(file -> file.use() == Use.LIST).forEach(this::list);
        byFolder.forEach((folder, inIt) -> {
            boolean whole = !isOfOthers(folder)
                    && (inIt.stream().map(Access.File::asked).distinct().count() > 1
                            || inIt.stream().anyMatch(file -> movesWithin(folder, file)));
            for (Access.File file : inIt) {
                boolean inFolder = below(file.real(), List.of(real.apply(folder)));
                add(readable, whole && inFolder ? folder : file.asked(), reason(file));
            }
        });
    }

    private void list(Access.File file) {
        if (isOfOthers(file.asked())) {
            notes.add(file.program() + " lists " + file.asked()
                    + ", which holds much of others and is not proposed; add it to readable if it fails without");
        } else {
            add(readable, file.asked(), reason(file));
        }
    }

    private boolean movesWithin(Bytes folder, Access.File file) {
        return !file.asked().equals(file.real())
                && !file.real().equals(LexicalPath.join(real.apply(folder), List.of(lastName(file.asked()))))
                && below(file.real(), List.of(real.apply(folder)));
    }

    private boolean isOfOthers(Bytes folder) {
        return LexicalPath.parts(folder).size() <= OF_OTHERS_DEPTH;
    }

    private void socket(Access.Socket socket) {
        switch (socket.family()) {
            case Access.Socket.INET, Access.Socket.INET6 -> network.add(socket.program() + " makes an IP socket");
            case Access.Socket.NETLINK, Access.Socket.UNIX -> {}
            default ->
                notes.add(socket.program() + " makes a socket of family " + socket.family()
                        + ", which no setting of a sandbox allows");
        }
    }

    /// The C library asks name services by a socket that is seldom there: that is no need.
    private void peer(Access.Peer peer) {
        if (!peer.unix()) {
            network.add(peer.program() + " addresses " + peer.address());
        } else if (peer.address().startsWith("@")) {
            notes.add(peer.program() + " addresses the abstract Unix socket " + peer.address()
                    + ", which no setting of a sandbox allows");
        } else if (peer.there()) {
            unixSockets.add(peer.program() + " addresses " + peer.address());
        }
    }

    private static String reason(Access.File file) {
        String verb = switch (file.use()) {
            case READ -> "reads ";
            case LIST -> "lists ";
            case EXECUTE -> "runs ";
            case WRITE -> "writes ";
            case CHANGE -> "makes or removes files in ";
        };
        return file.program() + " " + verb + file.asked();
    }

    private static void add(Map<Bytes, Set<String>> paths, Bytes path, String reason) {
        paths.computeIfAbsent(path, _ -> new LinkedHashSet<>()).add(reason);
    }

    /// Takes out what another entry allows already; its reasons go there.
    private void keepTopmost(Map<Bytes, Set<String>> paths) {
        for (Bytes path : List.copyOf(paths.keySet())) {
            paths.keySet().stream()
                    .filter(other -> !other.equals(path) && below(real.apply(path), List.of(real.apply(other))))
                    .findFirst()
                    .ifPresent(other -> move(paths, path, paths, other));
        }
    }

    /// What may be written may be read.
    private void leaveReadableWhatIsNotWritable() {
        for (Bytes path : List.copyOf(readable.keySet())) {
            writable.keySet().stream()
                    .filter(other -> below(real.apply(path), List.of(real.apply(other))))
                    .findFirst()
                    .ifPresent(other -> move(readable, path, writable, other));
        }
    }

    private static void move(Map<Bytes, Set<String>> from, Bytes path, Map<Bytes, Set<String>> to, Bytes other) {
        Set<String> reasons = from.getOrDefault(path, Set.of());
        from.remove(path);
        to.getOrDefault(other, new LinkedHashSet<>()).addAll(reasons);
    }

    private static boolean below(Bytes path, List<Bytes> folders) {
        return folders.stream()
                .anyMatch(folder -> path.equals(folder) || folder.equals(ROOT) || path.startsWith(folder.plus(ROOT)));
    }

    private static Bytes parent(Bytes path) {
        int slash = path.lastIndexOf((byte) '/');
        return slash <= 0 ? ROOT : path.slice(0, slash);
    }

    private static Bytes lastName(Bytes path) {
        return path.slice(path.lastIndexOf((byte) '/') + 1, path.length());
    }

    /// As lines of a definition.
    List<String> yaml() {
        List<String> lines = new ArrayList<>(List.of("remora:", "  sandbox:"));
        lines.add("    network: " + (network.isEmpty() ? "none" : "any" + comment(network)));
        paths("readable", readable, lines);
        paths("writable", writable, lines);
        if (!unixSockets.isEmpty()) {
            lines.add("    unixSockets: true" + comment(unixSockets));
        }
        return lines;
    }

    private static void paths(String key, Map<Bytes, Set<String>> paths, List<String> lines) {
        if (!paths.isEmpty()) {
            lines.add("    " + key + ":");
            paths.forEach((path, reasons) -> lines.add("    - " + quoted(path.toString()) + comment(reasons)));
        }
    }

    /// Plain where YAML surely reads it as it stands.
    private static String quoted(String path) {
        return path.matches("[A-Za-z0-9/._@%+-]+") ? path : "'" + path.replace("'", "''") + "'";
    }

    private static String comment(Set<String> reasons) {
        String shown = reasons.stream().limit(MOST_REASONS).collect(Collectors.joining(", "));
        return "  # " + shown
                + (reasons.size() > MOST_REASONS ? ", and " + (reasons.size() - MOST_REASONS) + " more" : "");
    }

    /// What a block cannot say.
    List<String> notes() {
        return List.copyOf(notes);
    }

    /// The block as data, each entry with its reasons.
    Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("network", network.isEmpty() ? "none" : "any");
        all.put("readable", readable.keySet().stream().map(Bytes::toString).toList());
        all.put("writable", writable.keySet().stream().map(Bytes::toString).toList());
        all.put("unixSockets", !unixSockets.isEmpty());
        return all;
    }

    /// Why each is there: `network`, `unixSockets`, or the path.
    Map<String, Object> reasons() {
        Map<String, Object> all = new LinkedHashMap<>();
        readable.forEach((path, why) -> all.put(path.toString(), List.copyOf(why)));
        writable.forEach((path, why) -> all.put(path.toString(), List.copyOf(why)));
        if (!network.isEmpty()) {
            all.put("network", List.copyOf(network));
        }
        if (!unixSockets.isEmpty()) {
            all.put("unixSockets", List.copyOf(unixSockets));
        }
        return all;
    }
}
