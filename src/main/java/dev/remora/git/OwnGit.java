package dev.remora.git;

import dev.remora.process.Cancellation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// What of the user's own git reaches ours: the variables and the settings that logins need, and nothing that could
/// change what a commit or a tree is.
///
/// Read once, when a login of the user's own is first needed.
final class OwnGit {
    /// Beside `PATH` and `HOME`.
    private static final Set<String> VARIABLES = Set.of(
            "SSH_AUTH_SOCK",
            "USER",
            "LOGNAME",
            "TMPDIR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "XDG_RUNTIME_DIR",
            "DBUS_SESSION_BUS_ADDRESS",
            "GNUPGHOME",
            "PASSWORD_STORE_DIR",
            "KRB5CCNAME",
            "KRB5_CONFIG",
            "GIT_SSH",
            "GIT_SSH_COMMAND",
            "GIT_SSH_VARIANT",
            "GIT_SSL_CERT",
            "GIT_SSL_KEY",
            "GIT_SSL_CAINFO",
            "GIT_SSL_CAPATH",
            "GIT_SSL_NO_VERIFY",
            "GH_TOKEN",
            "GITHUB_TOKEN",
            "GITLAB_TOKEN");

    private static final Set<String> NETWORK = Set.of(
            "http_proxy",
            "https_proxy",
            "HTTPS_PROXY",
            "all_proxy",
            "ALL_PROXY",
            "no_proxy",
            "NO_PROXY",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR");

    private final Map<String, String> environment;
    private final List<GitEnvironment.Setting> settings;

    private OwnGit(Map<String, String> environment, List<GitEnvironment.Setting> settings) {
        this.environment = environment;
        this.settings = settings;
    }

    /// @param environment this process's
    /// @param nowhere a folder without a repository
    static OwnGit read(GitProgram git, Map<String, String> environment, Path nowhere, Duration time) {
        Map<String, String> variables = new LinkedHashMap<>();
        environment.forEach((name, value) -> {
            if (name.equals("PATH") || name.equals("HOME") || VARIABLES.contains(name)) {
                variables.put(name, value);
            }
        });
        variables.put("GIT_CEILING_DIRECTORIES", String.valueOf(nowhere.getParent()));
        GitEnvironment reading = GitEnvironment.bare(variables);
        GitProgram.Call call = new GitProgram.Call(
                "read your own git configuration",
                List.of("-C", nowhere.toString(), "config", "--list", "-z"),
                reading,
                time);
        return new OwnGit(environment, parse(git.output(call, new Cancellation())));
    }

    private static List<GitEnvironment.Setting> parse(byte[] listing) {
        List<GitEnvironment.Setting> all = new ArrayList<>();
        for (String entry : new String(listing, StandardCharsets.UTF_8).split("\0", -1)) {
            int line = entry.indexOf('\n');
            if (line > 0) {
                all.add(new GitEnvironment.Setting(entry.substring(0, line), entry.substring(line + 1)));
            } else if (!entry.isEmpty()) {
                all.add(new GitEnvironment.Setting(entry, "true"));
            }
        }
        return all;
    }

    /// Variables about the way to servers, which count for every login.
    static Map<String, String> network(Map<String, String> environment) {
        Map<String, String> some = new LinkedHashMap<>(environment);
        some.keySet().retainAll(NETWORK);
        return some;
    }

    /// For the user's own login.
    GitEnvironment forLogin(GitEnvironment base) {
        Map<String, String> some = new LinkedHashMap<>(environment);
        some.keySet().retainAll(VARIABLES);
        some.put("HOME", environment.getOrDefault("HOME", "/"));
        GitEnvironment all = base.with(some).configured(kept(OwnGit::isForLogin));
        boolean ownSsh = some.containsKey("GIT_SSH")
                || some.containsKey("GIT_SSH_COMMAND")
                || settings.stream().anyMatch(setting -> lower(setting).equals("core.sshcommand"));
        return ownSsh ? all : all.with("GIT_SSH_COMMAND", "ssh -o BatchMode=yes -o ConnectTimeout=20");
    }

    /// For reading what a folder of the user holds: what he ignores, and how he ends lines.
    GitEnvironment forFolder(GitEnvironment base) {
        Map<String, String> some = new LinkedHashMap<>();
        some.put("HOME", environment.getOrDefault("HOME", "/"));
        if (environment.containsKey("XDG_CONFIG_HOME")) {
            some.put("XDG_CONFIG_HOME", environment.getOrDefault("XDG_CONFIG_HOME", ""));
        }
        return base.with(some).configured(kept(OwnGit::isForFolder));
    }

    private static boolean isForLogin(String key) {
        return key.startsWith("credential.")
                || key.startsWith("http.")
                || key.equals("core.sshcommand")
                || key.equals("ssh.variant")
                || (key.startsWith("url.") && key.endsWith(".insteadof"));
    }

    private static boolean isForFolder(String key) {
        return key.equals("core.excludesfile")
                || key.equals("core.autocrlf")
                || key.equals("core.eol")
                || key.equals("safe.directory");
    }

    private List<GitEnvironment.Setting> kept(Predicate<String> keys) {
        return settings.stream().filter(setting -> keys.test(lower(setting))).toList();
    }

    private static String lower(GitEnvironment.Setting setting) {
        return setting.key().toLowerCase(Locale.ROOT);
    }
}
