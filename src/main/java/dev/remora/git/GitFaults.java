package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.process.Outcome;
import dev.remora.telemetry.Phases;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Why a git command did not succeed. Git has one exit status for nearly everything, so its words decide; it speaks
/// English because the environment says so.
final class GitFaults {
    /// Of what git, ssh and a server print; the cause stands at the end.
    private static final int MOST_WORDS = 2000;

    private record Sign(Pattern words, FaultCode code) {
        static Sign of(FaultCode code, String words) {
            return new Sign(Pattern.compile(words), code);
        }
    }

    /// The first that is found counts: a refused login often ends in words about a repository that cannot be read.
    private static final List<Sign> SIGNS = List.of(
            Sign.of(
                    FaultCode.GIT_TRUST,
                    "host key verification failed|no .*host key is known|ssl certificate problem|certificate"
                            + " verification failed|server certificate|unable to get local issuer"
                            + "|no alternative certificate subject name|remote host identification has changed"),
            Sign.of(
                    FaultCode.GIT_NETWORK,
                    "could not resolve|connection (refused|reset|timed out|closed)|network is unreachable|no route to"
                            + " host|failed to connect|couldn't connect|operation timed out|operation too slow|early"
                            + " eof|rpc failed; curl|unexpected disconnect|the remote end hung up unexpectedly|empty"
                            + " reply|recv failure|send failure|gnutls recv error|ssl_error_syscall|tls connection was"
                            + " non-properly terminated|returned error: 5\\d\\d|transfer closed|proxy connect aborted"
                            + "|kex_exchange_identification|unexpected eof|invalid index-pack output"),
            Sign.of(
                    FaultCode.GIT_LOGIN,
                    "authentication failed|could not read (username|password)|terminal prompts disabled|permission"
                            + " denied \\(|returned error: 40[13]|returned error: 407|too many authentication failures"
                            + "|invalid username or|access denied|http basic: access denied|no supported"
                            + " authentication methods|connect tunnel failed, response 407"),
            Sign.of(
                    FaultCode.GIT_ABSENT,
                    "repository .* not found|does not appear to be a git repository|repository not found|project you"
                            + " were looking for could not be found|returned error: 404|no such file or directory"
                            + "|not valid: is this a git repository|does not exist|invalid gitfile"));

    private static final Pattern SSH_LOGIN = Pattern.compile("permission denied \\(|too many authentication failures");

    private GitFaults() {}

    /// @param what the command was for: `list the refs of https://…`
    static Fault of(String what, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited exited -> exited(what, exited);
            case Outcome.Signalled signalled ->
                new Fault(
                        signalled.outOfMemory() ? FaultCode.COMMAND_OUT_OF_MEMORY : FaultCode.COMMAND_KILLED,
                        "cannot " + what + ": git was ended by signal " + signalled.signal()
                                + (signalled.outOfMemory() ? "; the container's memory ran out" : ""));
            case Outcome.TimedOut timedOut ->
                new Fault(
                        FaultCode.COMMAND_TIMEOUT,
                        "cannot " + what + ": git's time of "
                                + Phases.seconds(timedOut.limit().given()) + " ran out; raise "
                                + timedOut.limit().setting()
                                + words(timedOut.output().stderr()));
            case Outcome.Cancelled cancelled ->
                new Fault(FaultCode.CALL_CANCELLED, "did not " + what + ": " + cancelled.reason());
            case Outcome.OutputTooLarge large ->
                new Fault(
                        FaultCode.COMMAND_OUTPUT_LIMIT,
                        "cannot " + what + ": git printed more than " + large.limit() + " bytes");
            case Outcome.TooManyProcesses many ->
                new Fault(
                        FaultCode.COMMAND_PROCESS_LIMIT,
                        "cannot " + what + ": git started more than " + many.limit() + " processes");
            case Outcome.NotStarted notStarted ->
                new Fault(FaultCode.GIT_PROGRAM, "cannot " + what + ": git cannot be started: " + notStarted.text());
        };
    }

    private static Fault exited(String what, Outcome.Exited exited) {
        String stderr = exited.output().stderr();
        FaultCode code = codeOf(stderr).orElse(FaultCode.GIT_FAILED);
        return new Fault(code, "cannot " + what + words(stderr));
    }

    static Optional<FaultCode> codeOf(String stderr) {
        String text = stderr.toLowerCase(Locale.ROOT);
        if (SSH_LOGIN.matcher(text).find()) {
            return Optional.of(
                    FaultCode.GIT_LOGIN); // ssh closes the connection afterwards, which is no broken network.
        }
        for (Sign sign : SIGNS) {
            if (sign.words().matcher(text).find()) {
                return Optional.of(sign.code());
            }
        }
        return Optional.empty();
    }

    /// Whether a repository of our own cache is broken, such as after a power cut.
    static boolean tellsCorruption(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        return text.contains("bad object")
                || text.contains("not a tree object")
                || text.contains("is corrupt")
                || text.contains("packfile")
                || text.contains("object file")
                || text.contains("unable to read tree")
                || text.contains("unable to read sha1")
                || text.contains("not a git repository")
                || text.contains("missing blob")
                || text.contains("invalid object")
                || text.contains("cannot be accessed");
    }

    private static String words(String stderr) {
        StringBuilder kept = new StringBuilder();
        for (String line : stderr.strip().split("\\R", -1)) {
            String text = line.strip();
            boolean noise = text.isEmpty()
                    || text.startsWith("hint:")
                    || text.startsWith("error: unable to read askpass response")
                    || text.startsWith("warning: templates not found");
            if (!noise) {
                kept.append(kept.isEmpty() ? "" : "; ").append(printable(text));
            }
        }
        int from = Math.max(0, kept.length() - MOST_WORDS);
        return kept.isEmpty() ? "" : ": " + kept.substring(from);
    }

    /// A server's words reach a terminal: no escapes.
    private static String printable(String text) {
        StringBuilder all = new StringBuilder();
        text.chars().forEach(c -> all.append(c < ' ' || (c >= 0x7f && c < 0xa0) ? '?' : (char) c));
        return all.toString();
    }
}
