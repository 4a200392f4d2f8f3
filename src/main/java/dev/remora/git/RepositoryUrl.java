package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The URL of a repository as an Application names it, checked: what git gets from here is a place and never an
/// option, a command or another transport (docs/spec/git.md, "URLs").
///
/// Two URLs are equal when Argo CD takes them for the same repository: without regard to case, a trailing `.git`, and
/// whether SSH is written `git@host:path` or `ssh://git@host/path`.
public final class RepositoryUrl {
    /// Longer ones are no URLs; the limit keeps messages readable.
    private static final int LONGEST = 2048;

    private static final Pattern ARGOCD_SSH = Pattern.compile("(ssh://)?([^/:]*?)@[^@]+");
    private static final Pattern SCP = Pattern.compile("(?:([^@/:]+)@)?(\\[[0-9A-Fa-f:.%]+]|[^@/:\\[\\]]+):(.+)");
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://.*");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.%]+]");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@+\\\\-]*");

    private final Kind kind;
    private final String address;
    private final String host;
    private final String normalised;
    private final Optional<Login.Password> login;

    /// How a repository is reached.
    public enum Kind {
        HTTPS,
        HTTP,
        SSH,
        /// A folder of this machine: `file:///srv/repo.git` or its absolute path.
        FILE
    }

    private RepositoryUrl(Kind kind, String address, String host, String normalised, Optional<Login.Password> login) {
        this.kind = kind;
        this.address = address;
        this.host = host;
        this.normalised = normalised;
        this.login = login;
    }

    /// Reads and checks a URL.
    ///
    /// @throws Fault GIT_URL where git would take the text for something else than a place of one of the four kinds
    public static RepositoryUrl of(String text) {
        refuseUnprintable(text);
        String trimmed = text.strip();
        Matcher scheme = SCHEME.matcher(trimmed);
        if (trimmed.startsWith("/")) {
            return new RepositoryUrl(Kind.FILE, trimmed, "", normalise(trimmed), Optional.empty());
        }
        if (scheme.matches()) {
            return withScheme(trimmed, scheme.group(1).toLowerCase(Locale.ROOT));
        }
        Matcher scp = SCP.matcher(trimmed);
        if (scp.matches() && (!trimmed.contains("::") || trimmed.contains("["))) {
            checkHost(trimmed, scp.group(2));
            Optional.ofNullable(scp.group(1)).ifPresent(user -> checkUser(trimmed, user));
            if (scp.group(3).startsWith("-")) {
                throw refused(trimmed, "its path begins with a dash");
            }
            return new RepositoryUrl(Kind.SSH, trimmed, scp.group(2), normalise(trimmed), Optional.empty());
        }
        throw refused(trimmed, "it is none of https://, http://, ssh://, user@host:path and file:///");
    }

    private static void refuseUnprintable(String text) {
        if (text.isBlank()) {
            throw new Fault(FaultCode.GIT_URL, "the repository's URL is empty");
        }
        if (text.length() > LONGEST) {
            throw new Fault(FaultCode.GIT_URL, "the repository's URL is longer than " + LONGEST + " characters");
        }
        if (text.strip().chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new Fault(FaultCode.GIT_URL, "the repository's URL holds a control character, such as a line break");
        }
    }

    private static RepositoryUrl withScheme(String text, String scheme) {
        Kind kind = switch (scheme) {
            case "https" -> Kind.HTTPS;
            case "http" -> Kind.HTTP;
            case "ssh", "git+ssh", "ssh+git" -> Kind.SSH;
            case "file" -> Kind.FILE;
            default -> throw refused(text, "the transport " + scheme + " is not used");
        };
        URI uri = uri(text);
        String host = Optional.ofNullable(uri.getHost()).orElseGet(() -> hostOf(uri));
        if (kind == Kind.FILE) {
            if (!host.isEmpty() || uri.getRawPath() == null || !uri.getRawPath().startsWith("/")) {
                throw refused(text, "a file URL is file:/// and an absolute path");
            }
            return new RepositoryUrl(kind, text, "", normalise(text), Optional.empty());
        }
        checkHost(text, host);
        Optional<String> user = Optional.ofNullable(uri.getRawUserInfo()).or(() -> userOf(uri));
        return switch (kind) {
            case HTTP, HTTPS -> {
                String address = user.isPresent() ? text.replaceFirst("//[^/@]*(@[^/@]*)*@", "//") : text;
                yield new RepositoryUrl(kind, address, authority(uri), normalise(text), user.map(RepositoryUrl::login));
            }
            case SSH -> {
                user.ifPresent(name -> checkUser(text, name.split(":", 2)[0]));
                yield new RepositoryUrl(kind, text, host, normalise(text), Optional.empty());
            }
            case FILE -> throw new IllegalStateException();
        };
    }

    private static URI uri(String text) {
        try {
            return new URI(text.replace(" ", "%20"));
        } catch (URISyntaxException e) {
            throw refused(text, "it is no URL: " + e.getReason());
        }
    }

    /// `java.net.URI` gives no host where it holds an underscore.
    private static String hostOf(URI uri) {
        String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        String place = authority.substring(authority.lastIndexOf('@') + 1);
        return place.replaceFirst(":[0-9]*$", "");
    }

    private static Optional<String> userOf(URI uri) {
        String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        int at = authority.lastIndexOf('@');
        return at < 0 ? Optional.empty() : Optional.of(authority.substring(0, at));
    }

    private static String authority(URI uri) {
        String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    private static Login.Password login(String userInfo) {
        String[] parts = userInfo.split(":", 2);
        return new Login.Password(decoded(parts[0]), new Secret(parts.length > 1 ? decoded(parts[1]) : ""));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }

    private static void checkHost(String text, String host) {
        if (!HOST.matcher(host).matches()) {
            throw refused(text, "its host is no host name");
        }
    }

    private static void checkUser(String text, String user) {
        if (!USER.matcher(user).matches()) {
            throw refused(text, "its user name is none");
        }
    }

    private static Fault refused(String text, String why) {
        return new Fault(FaultCode.GIT_URL, "the repository \"" + withoutUser(text) + "\" is refused: " + why);
    }

    private static String withoutUser(String text) {
        return text.replaceFirst("//[^/]*@", "//");
    }

    /// As Argo CD compares repositories, and looks for credentials by prefix.
    static String normalise(String text) {
        String url = text.strip().toLowerCase(Locale.ROOT);
        if (ARGOCD_SSH.matcher(url).matches() && !url.startsWith("ssh://")) {
            url = "ssh://" + url.replaceFirst(":", "/");
        }
        if (url.endsWith(".git")) {
            url = url.substring(0, url.length() - ".git".length());
        }
        return url.startsWith("ssh://") ? url.substring("ssh://".length()) : url;
    }

    public Kind kind() {
        return kind;
    }

    /// What git is given; without a login.
    String address() {
        return address;
    }

    /// Host and port as the URL has them, empty for a file.
    String host() {
        return host;
    }

    /// The login that the URL itself carries.
    Optional<Login.Password> login() {
        return login;
    }

    String normalised() {
        return normalised;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RepositoryUrl url && url.normalised.equals(normalised);
    }

    @Override
    public int hashCode() {
        return normalised.hashCode();
    }

    /// Without a login, for people.
    @Override
    public String toString() {
        return withoutUser(address);
    }
}
