package dev.remora.plugin;

import java.util.Arrays;
import java.util.Optional;

/// Where Remora does on purpose what Argo CD's plugin server does not. `--argocd=ROW` switches a row back.
/// `docs/reference/departures.md` is made from this table.
public enum Departure {
    EXEC_TIMEOUT(
            "exec-timeout",
            "ignores ARGOCD_EXEC_TIMEOUT and ARGOCD_EXEC_FATAL_TIMEOUT, although they are documented",
            "honours both (90s and 10s unless set); the error names the limit that fired, the phases that used the time"
                    + " and the setting to raise"),
    DEADLINE_CODE(
            "deadline-code",
            "answers UNKNOWN and 'signal: killed' when the caller's deadline ends a command",
            "answers DEADLINE_EXCEEDED, and says how the time was spent and what to raise"),
    KILL(
            "kill",
            "kills the command at once and its process group 5 s later, and signals the group again after success, when"
                    + " the number may be someone else's",
            "sends TERM to all that the render started, waits the grace, then KILL; signals nothing that was reaped;"
                    + " nothing survives the answer, not even what started a session of its own"),
    REAP("reap", "never reaps orphans as process 1", "reaps them, as process 1 or not"),
    EMPTY_OUTPUT(
            "empty-output",
            "takes an empty answer for a success, and pruning deletes the application",
            "refuses it, unless remora.output.allowEmpty is true"),
    ANY_DOCUMENT(
            "any-document",
            "passes on any document",
            "refuses documents without apiVersion or kind, SOPS cipher text and documents with a sops block"),
    NOT_UTF8(
            "any-bytes",
            "passes on JSON output with bytes that are not UTF-8",
            "refuses output that is not UTF-8, with the byte's place"),
    LOST_DOCUMENTS(
            "lost-documents",
            "silently loses text after a line of three dots and a second flow document in one chunk",
            "refuses such output, with document number and line"),
    LITERAL_GLOB(
            "literal-glob",
            "answers with an error when a find.glob without a star, or the folder before its first star, is absent",
            "answers: no match"),
    UNPACK_LIMITS(
            "unpack-limits",
            "unpacks without a limit, and lets a later entry pass through a link",
            "limits bytes, files, name length, depth and compression; refuses an entry whose parent is not a real"
                    + " folder"),
    LINKS(
            "links",
            "rewrites the text of links, and refuses a link to the root",
            "keeps a link's text after checking it, and allows the root"),
    SHARED_WORKDIR(
            "shared-workdir",
            "wipes the whole work folder at start, also another sidecar's",
            "uses a folder of its own under a lock, and sweeps only what is provably dead"),
    TAKE_SOCKET(
            "take-socket",
            "replaces whatever lies at its socket's place, also the socket of a server that runs",
            "replaces what a dead server left, and refuses to start where another listens"),
    STOP(
            "stop",
            "removes its socket at SIGTERM and goes on for ever",
            "refuses new calls, finishes running ones within the grace, and stops"),
    LOG_OUTPUT(
            "log-output",
            "logs all standard output at level debug and all standard error at level info, secrets included",
            "never logs standard output; logs head and tail of standard error, masked"),
    STORE_ARCHIVE(
            "store-archive",
            "stores the whole archive, unpacks it after the last byte, then deletes it",
            "inflates and unpacks while it receives, and only what the answer needs: no file for names, nothing for"
                    + " static parameters"),
    RECYCLE(
            "recycle",
            "unpacks every archive into an empty folder and deletes it after the call",
            "checks the tree that a call leaves, and lends it to the next of the same repository and AppProject: only"
                    + " what differs is written"),
    METRICS(
            "metrics",
            "collects metrics and serves none; --http-listen does nothing then",
            "serves /metrics, /healthz and /readyz on the address of --http-listen; off unless that is given"),
    RELOAD(
            "reload",
            "reads plugin.yaml once",
            "takes a changed file over while running; a bad one keeps the old definition and is reported"),
    ONE_PLUGIN(
            "one-plugin",
            "serves the one plugin of plugin.yaml",
            "serves also a folder of definitions, one socket each"),
    PRIVILEGES(
            "privileges",
            "gives commands its own capabilities, set-user-id programs and every system call, and lets them signal one"
                    + " another",
            "drops all capabilities, refuses new privileges and what no renderer needs of the kernel, and scopes"
                    + " signals and abstract sockets; remora.sandbox fences files and the network too");

    private final String row;
    private final String argoCd;
    private final String remora;

    Departure(String row, String argoCd, String remora) {
        this.row = row;
        this.argoCd = argoCd;
        this.remora = remora;
    }

    /// The short name on the command line.
    public String row() {
        return row;
    }

    /// What Argo CD's server does, as the rest of a sentence.
    public String argoCd() {
        return argoCd;
    }

    /// What Remora does, as the rest of a sentence.
    public String remora() {
        return remora;
    }

    public static Optional<Departure> named(String row) {
        return Arrays.stream(values())
                .filter(departure -> departure.row.equals(row))
                .findFirst();
    }
}
