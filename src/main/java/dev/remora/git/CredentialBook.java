package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Secret;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Logins as Argo CD keeps them: Secrets labelled `repository` and `repo-creds`, and the ConfigMaps
/// `argocd-ssh-known-hosts-cm` and `argocd-tls-certs-cm`, read from files (docs/spec/git.md, "Credentials").
///
/// A repository's own Secret counts first, that of the Application's project before one without a project. Where it
/// has no login, or there is none, the `repo-creds` Secret with the longest URL that is a prefix adds what is
/// missing.
public final class CredentialBook {
    public static final CredentialBook EMPTY = new CredentialBook(List.of(), List.of(), Optional.empty(), Map.of());

    private final List<Entry> repositories;
    private final List<Entry> templates;
    private final Optional<String> knownHosts;
    private final Map<String, String> authorities;

    /// @param url as written
    /// @param fields of the Secret, decoded, by their names in any case of letters (lower-case here)
    /// @param from for people
    record Entry(String url, String project, Map<String, Secret> fields, String from) {
        Entry {
            fields = Map.copyOf(fields);
        }

        Optional<Secret> field(String name) {
            return Optional.ofNullable(fields.get(name))
                    .filter(value -> !value.reveal().isEmpty());
        }

        boolean is(String name) {
            return field(name).filter(value -> isTrue(value.reveal())).isPresent();
        }

        /// As Go's `strconv.ParseBool`.
        static boolean isTrue(String text) {
            return List.of("1", "t", "T", "true", "TRUE", "True").contains(text);
        }
    }

    CredentialBook(
            List<Entry> repositories,
            List<Entry> templates,
            Optional<String> knownHosts,
            Map<String, String> authorities) {
        this.repositories = List.copyOf(repositories);
        this.templates = List.copyOf(templates);
        this.knownHosts = knownHosts;
        this.authorities = Map.copyOf(authorities);
        List<Problem> problems = new ArrayList<>();
        for (Entry entry : repositories) {
            check(entry, problems);
        }
        for (Entry entry : templates) {
            check(entry, problems);
        }
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, problems);
        }
    }

    private static void check(Entry entry, List<Problem> problems) {
        try {
            Login _ = login(entry);
        } catch (Fault fault) {
            problems.addAll(fault.problems());
        }
    }

    public boolean isEmpty() {
        return repositories.isEmpty() && templates.isEmpty() && knownHosts.isEmpty() && authorities.isEmpty();
    }

    /// What reaches this repository; empty: the user's own means.
    Optional<Access> find(RepositoryUrl url, String project) {
        Optional<Entry> repository = repositoryEntry(url, project);
        Optional<Entry> template =
                repository.filter(CredentialBook::hasLogin).isPresent() ? Optional.empty() : templateEntry(url);
        Optional<Entry> meant = template.map(
                        entry -> repository.map(own -> merged(own, entry)).orElse(entry))
                .or(() -> repository);
        Transport hosts = transport(url, meant);
        if (meant.isEmpty()) {
            return hosts.equals(Transport.PLAIN)
                    ? Optional.empty()
                    : Optional.of(new Access(new Login.Own(), hosts, Access.OWN.from()));
        }
        return Optional.of(new Access(login(meant.get()), hosts, meant.get().from()));
    }

    private Optional<Entry> repositoryEntry(RepositoryUrl url, String project) {
        List<Entry> same = repositories.stream()
                .filter(entry -> RepositoryUrl.normalise(entry.url()).equals(url.normalised()))
                .toList();
        return same.stream()
                .filter(entry -> entry.project().equals(project))
                .findFirst()
                .or(() ->
                        same.stream().filter(entry -> entry.project().isEmpty()).findFirst());
    }

    private Optional<Entry> templateEntry(RepositoryUrl url) {
        return templates.stream()
                .filter(entry -> !entry.url().isBlank())
                .filter(entry -> url.normalised().startsWith(RepositoryUrl.normalise(entry.url())))
                .max(Comparator.comparingInt(
                        entry -> RepositoryUrl.normalise(entry.url()).length()));
    }

    private static boolean hasLogin(Entry entry) {
        return List.of(
                        "username",
                        "password",
                        "bearertoken",
                        "sshprivatekey",
                        "tlsclientcertdata",
                        "githubappprivatekey")
                .stream()
                .anyMatch(name -> entry.field(name).isPresent());
    }

    private static Entry merged(Entry own, Entry template) {
        Map<String, Secret> fields = new LinkedHashMap<>(template.fields());
        own.fields().forEach((name, value) -> {
            if (!value.reveal().isEmpty()) {
                fields.put(name, value);
            }
        });
        return new Entry(own.url(), own.project(), fields, template.from());
    }

    /// In Argo CD's order; the first kind that is there counts.
    private static Login login(Entry entry) {
        String user = entry.field("username").map(Secret::reveal).orElse("");
        Optional<Secret> password = entry.field("password");
        if (password.isPresent()) {
            return new Login.Password(user.isEmpty() ? "x-access-token" : user, password.get());
        }
        Optional<Secret> token = entry.field("bearertoken");
        if (token.isPresent()) {
            return new Login.Bearer(token.get());
        }
        Optional<Secret> key = entry.field("sshprivatekey");
        if (key.isPresent()) {
            return new Login.SshKey(key.get());
        }
        Optional<Secret> appKey = entry.field("githubappprivatekey");
        if (appKey.isPresent()) {
            String api = entry.field("githubappenterprisebaseurl")
                    .map(Secret::reveal)
                    .orElse("https://api.github.com");
            return new Login.GithubApp(
                    number(entry, "githubAppID"),
                    number(entry, "githubAppInstallationID"),
                    appKey.get(),
                    api.replaceFirst("/+$", ""));
        }
        for (String other : List.of("gcpServiceAccountKey", "azureServicePrincipalClientSecret")) {
            if (entry.field(other.toLowerCase(java.util.Locale.ROOT)).isPresent()) {
                throw refused(entry, other + " is not supported; give a user name and password or token instead");
            }
        }
        if (entry.is("useazureworkloadidentity")) {
            throw refused(entry, "useAzureWorkloadIdentity is not supported; give a token as password instead");
        }
        return new Login.Own();
    }

    private static long number(Entry entry, String name) {
        String text = entry.field(name.toLowerCase(java.util.Locale.ROOT))
                .map(Secret::reveal)
                .orElse("0");
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw refused(entry, name + " is no number");
        }
    }

    private static Fault refused(Entry entry, String why) {
        return new Fault(FaultCode.GIT_CREDENTIALS, entry.from() + ": " + why);
    }

    private Transport transport(RepositoryUrl url, Optional<Entry> meant) {
        boolean ssh = url.kind() == RepositoryUrl.Kind.SSH;
        String host = url.host().replaceFirst(":[0-9]+$", "");
        Optional<String> authority = url.kind() == RepositoryUrl.Kind.HTTPS
                ? Optional.ofNullable(authorities.get(url.host())).or(() -> Optional.ofNullable(authorities.get(host)))
                : Optional.empty();
        return new Transport(
                authority,
                meant.flatMap(CredentialBook::clientCertificate),
                ssh ? knownHosts : Optional.empty(),
                meant.flatMap(entry -> entry.field("proxy")),
                meant.flatMap(entry -> entry.field("noproxy"))
                        .map(Secret::reveal)
                        .orElse(""),
                meant.filter(entry -> entry.is("insecure") || entry.is("insecureignorehostkey"))
                        .isPresent(),
                meant.filter(entry -> entry.is("forcehttpbasicauth")).isPresent(),
                meant.filter(entry -> entry.is("enablelfs")).isPresent());
    }

    private static Optional<Transport.ClientCertificate> clientCertificate(Entry entry) {
        return entry.field("tlsclientcertdata")
                .flatMap(data -> entry.field("tlsclientcertkey")
                        .map(key -> new Transport.ClientCertificate(data.reveal(), key)));
    }
}
