package dev.remora.git;

import dev.remora.fault.Secret;

/// Who we are for a repository's server.
public sealed interface Login {
    /// The user's own means: credential helpers, netrc, SSH agent and keys, as their git would use them.
    record Own() implements Login {}

    /// User name and password, or a token in the password's place.
    record Password(String user, Secret password) implements Login {}

    /// A token sent as `Authorization: Bearer`.
    record Bearer(Secret token) implements Login {}

    /// A private key of SSH, as the text of its file.
    record SshKey(Secret key) implements Login {}

    /// A GitHub App's key, exchanged for a token of an hour.
    ///
    /// @param installation 0: asked by the repository's owner
    /// @param api such as `https://api.github.com`
    record GithubApp(long app, long installation, Secret key, String api) implements Login {}
}
