package dev.remora.git;

import dev.remora.fault.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// Answers git's questions for a user name and a password, as the daemon behind `git credential-cache` would: that
/// helper comes with git, connects to the socket that it is told, and hands over what it reads. So a password goes
/// from our memory through a socket into git's, and is never an argument, a variable or a file.
///
/// It answers for exactly the hosts that it was given: a server that redirects elsewhere gets nothing. What git
/// reports back tells a refused password from one that was never asked for.
final class CredentialSocket implements AutoCloseable {
    /// A question holds a few short lines.
    private static final int LONGEST_QUESTION = 64 << 10;

    private final List<Answer> answers;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicBoolean refused = new AtomicBoolean();
    private final PrivateSocket socket;

    /// @param protocol `https`, `http`, or `cert` for the password of a client certificate's key
    /// @param host with its port as the URL has it; empty for `cert`
    record Answer(String protocol, String host, String user, Secret password) {}

    CredentialSocket(Path path, List<Answer> answers) {
        this.answers = List.copyOf(answers);
        this.socket = PrivateSocket.open(path, this::converse);
    }

    Path path() {
        return socket.path();
    }

    /// The value of git's `credential.helper`.
    String helper() {
        return "cache --timeout=60 --socket=" + socket.path();
    }

    /// Whether a password of ours was asked for.
    boolean asked() {
        return asked.get();
    }

    /// Whether a server refused it.
    boolean refused() {
        return refused.get();
    }

    private void converse(InputStream in, OutputStream out) throws IOException {
        String question = new String(in.readNBytes(LONGEST_QUESTION), StandardCharsets.UTF_8);
        Map<String, String> fields = new LinkedHashMap<>();
        question.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                fields.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        Optional<Answer> answer =
                answers.stream().filter(candidate -> meant(candidate, fields)).findFirst();
        if (answer.isEmpty()) {
            return;
        }
        switch (fields.getOrDefault("action", "")) {
            case "get" -> {
                asked.set(true);
                String text = "username=" + answer.get().user() + "\npassword="
                        + answer.get().password().reveal() + "\n";
                out.write(text.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            case "erase" -> refused.set(true);
            default -> {}
        }
    }

    private static boolean meant(Answer answer, Map<String, String> fields) {
        String user = fields.getOrDefault("username", "");
        return answer.protocol().equals(fields.get("protocol"))
                && answer.host().equals(fields.getOrDefault("host", "").toLowerCase(Locale.ROOT))
                && (user.isEmpty() || user.equals(answer.user()));
    }

    @Override
    public void close() {
        socket.close();
    }
}
