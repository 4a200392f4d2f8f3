package dev.remora.git;

import dev.remora.posix.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The complete environment of one git command: nothing of ours is inherited by chance, and no file of the system or
/// the user configures it. Configuration travels in variables, so that no value of it is an argument.
///
/// Immutable; each method gives a new one.
final class GitEnvironment {
    private static final String NOWHERE = "/dev/null";

    /// What no repository, no server and no user's file may change.
    private static final List<Setting> FIXED = List.of(
            new Setting("core.hooksPath", NOWHERE),
            new Setting("core.fsmonitor", "false"),
            new Setting("core.untrackedCache", "false"),
            new Setting("core.symlinks", "true"),
            new Setting("core.fileMode", "true"),
            new Setting("gc.auto", "0"),
            new Setting("maintenance.auto", "false"),
            new Setting("transfer.unpackLimit", "1"),
            new Setting("fetch.unpackLimit", "1"),
            new Setting("fetch.recurseSubmodules", "false"),
            new Setting("submodule.recurse", "false"),
            new Setting("protocol.allow", "never"),
            new Setting("protocol.https.allow", "always"),
            new Setting("protocol.http.allow", "always"),
            new Setting("protocol.ssh.allow", "always"),
            new Setting("protocol.file.allow", "always"));

    private final Map<String, String> variables;
    private final List<Setting> settings;

    /// A line of git's configuration; a key may come several times.
    record Setting(String key, String value) {}

    private GitEnvironment(Map<String, String> variables, List<Setting> settings) {
        this.variables = variables;
        this.settings = settings;
    }

    /// @param searchPath where git and what it starts are found
    /// @param home a folder without anything of the user's, or the user's own where his login is meant
    static GitEnvironment fixed(String searchPath, String home) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", searchPath);
        variables.put("HOME", home);
        variables.put("LC_ALL", "C");
        variables.put("GIT_CONFIG_NOSYSTEM", "1");
        variables.put("GIT_CONFIG_GLOBAL", NOWHERE);
        variables.put("GIT_ATTR_NOSYSTEM", "1");
        variables.put("GIT_TERMINAL_PROMPT", "0");
        variables.put("GIT_ASKPASS", "false");
        variables.put("SSH_ASKPASS_REQUIRE", "never");
        variables.put("GIT_NO_REPLACE_OBJECTS", "1");
        variables.put("GIT_OPTIONAL_LOCKS", "0");
        variables.put("GIT_LFS_SKIP_SMUDGE", "1");
        return new GitEnvironment(variables, FIXED);
    }

    /// Nothing but these variables: for asking git what the user's own configuration says.
    static GitEnvironment bare(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(variables);
        all.put("LC_ALL", "C");
        all.put("GIT_TERMINAL_PROMPT", "0");
        return new GitEnvironment(all, List.of());
    }

    GitEnvironment with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(variables);
        more.put(name, value);
        return new GitEnvironment(more, settings);
    }

    GitEnvironment with(Map<String, String> others) {
        Map<String, String> more = new LinkedHashMap<>(variables);
        more.putAll(others);
        return new GitEnvironment(more, settings);
    }

    GitEnvironment configured(String key, String value) {
        return configured(List.of(new Setting(key, value)));
    }

    /// Later settings override earlier ones of one key, unless git collects its values.
    GitEnvironment configured(List<Setting> others) {
        List<Setting> more = new ArrayList<>(settings);
        more.addAll(others);
        return new GitEnvironment(variables, more);
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    /// As `NAME=VALUE`.
    List<Bytes> assignments() {
        List<Bytes> all = new ArrayList<>();
        variables.forEach((name, value) -> all.add(Bytes.utf8(name + "=" + value)));
        all.add(Bytes.utf8("GIT_CONFIG_COUNT=" + settings.size()));
        for (int i = 0; i < settings.size(); i++) {
            all.add(Bytes.utf8("GIT_CONFIG_KEY_" + i + "=" + settings.get(i).key()));
            all.add(Bytes.utf8("GIT_CONFIG_VALUE_" + i + "=" + settings.get(i).value()));
        }
        return all;
    }
}
