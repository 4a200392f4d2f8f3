package dev.remora.git;

import dev.remora.fault.Secret;
import dev.remora.posix.EnvironmentVariable;
import java.nio.file.Path;
import java.util.List;

/// Where a plugin's git asks for a borrowed login: a Unix socket that gives it to whoever knows a nonce.
public interface AskPass {
    /// Answers from now on.
    ///
    /// @param nonce cannot be guessed
    Place open(String nonce, String user, Secret password);

    /// One login's place; closing it ends the answers to its nonce.
    interface Place extends AutoCloseable {
        Path socket();

        /// What the commands need beside Argo CD's variables.
        List<EnvironmentVariable> variables();

        @Override
        void close();
    }
}
