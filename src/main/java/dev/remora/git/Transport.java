package dev.remora.git;

import dev.remora.fault.Secret;
import java.util.Optional;

/// How a repository's server is reached and known, beside the login.
///
/// @param certificateAuthority certificates in PEM that vouch for the server, instead of the system's
/// @param clientCertificate our certificate and its key, in PEM
/// @param knownHosts lines of an SSH `known_hosts` file; without them the user's own count
/// @param proxy URL of a proxy, perhaps with a login
/// @param noProxy hosts that are reached without it, separated by commas
/// @param insecure certificates and host keys are not checked
/// @param basicAtOnce the password is sent unasked (Argo CD's `forceHttpBasicAuth`)
/// @param lfs large files are fetched (Argo CD's `enableLfs`)
public record Transport(
        Optional<String> certificateAuthority,
        Optional<ClientCertificate> clientCertificate,
        Optional<String> knownHosts,
        Optional<Secret> proxy,
        String noProxy,
        boolean insecure,
        boolean basicAtOnce,
        boolean lfs) {
    static final Transport PLAIN = new Transport(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), "", false, false, false);

    /// A certificate by which a server knows us.
    ///
    /// @param key the private key, unencrypted
    public record ClientCertificate(String certificate, Secret key) {}
}
