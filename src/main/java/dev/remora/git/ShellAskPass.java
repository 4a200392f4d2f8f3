package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import dev.remora.posix.EnvironmentVariable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// Answers commands on this machine, without Argo CD's program: a script named `argocd`, first on their `PATH`, asks by
/// git's own `credential-cache` (see [CredentialSocket]). There is no secret in the script.
///
/// @param sockets where sockets are made
/// @param scripts a folder that the commands may read
/// @param searchPath the commands' `PATH`
record ShellAskPass(PrivateFolder sockets, Path scripts, String searchPath) implements AskPass {
    private static final String PROTOCOL = "askpass";

    /// As Argo CD's program: one argument, the prompt; the user's name or the password by how it begins.
    private static final String SCRIPT = """
            #!/bin/sh
            case "$#:$1" in
            1:Username*) field=username ;;
            1:Password*) field=password ;;
            *) echo "argocd: answers git's questions only while a login is lent" >&2; exit 20 ;;
            esac
            printf 'protocol=askpass\nhost=%s\n\n' "$ARGOCD_GIT_ASKPASS_NONCE" |
            git credential-cache --socket "$ARGOCD_ASK_PASS_SOCK" get | {
              while IFS= read -r line; do
                case "$line" in
                "$field="*) printf '%s\n' "${line#*=}"; exit 0 ;;
                esac
              done
              echo "argocd: the login is lent no more" >&2
              exit 20
            }
            """;

    @Override
    public Place open(String nonce, String user, Secret password) {
        Path folder = script();
        CredentialSocket socket = new CredentialSocket(
                sockets.fresh(".s"), List.of(new CredentialSocket.Answer(PROTOCOL, nonce, user, password)));
        return new Lent(socket, folder, searchPath);
    }

    private Path script() {
        try {
            Path folder = Files.createTempDirectory(
                    scripts,
                    "askpass-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path script = Files.writeString(folder.resolve("argocd"), SCRIPT);
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
            return folder;
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot write a script in " + scripts + ": " + Fault.words(e), e);
        }
    }

    private record Lent(CredentialSocket answers, Path folder, String searchPath) implements Place {
        @Override
        public Path socket() {
            return answers.path();
        }

        @Override
        public List<EnvironmentVariable> variables() {
            return List.of(EnvironmentVariable.of("PATH", folder + ":" + searchPath));
        }

        @Override
        public void close() {
            answers.close();
            try {
                FileTree.remove(folder);
            } catch (IOException withTheWorkFolder) {
                return;
            }
        }
    }
}
