package dev.remora.git;

/// Everything that reaching one repository takes.
///
/// @param from where the login was found, for people: `the Secret repo-a in creds.yaml`, `your own git configuration`
public record Access(Login login, Transport transport, String from) {
    static final Access OWN = new Access(new Login.Own(), Transport.PLAIN, "your own git configuration");
}
