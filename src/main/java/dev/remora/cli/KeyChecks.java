package dev.remora.cli;

import dev.remora.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Whether the keys that SOPS would look for are there, may be read by this user, and by nobody else. Nothing of a
/// private key is told; a recipient (`age1…`) is public.
final class KeyChecks {
    /// A key file is a page of text.
    private static final int MOST_BYTES = 1 << 20;

    private static final String AGE_FILE = "SOPS_AGE_KEY_FILE";
    private static final Pattern PRIVATE =
            Pattern.compile("(?m)^\\s*AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]+)-1[A-Z0-9]+\\s*$");
    private static final Pattern RECIPIENT = Pattern.compile("(?m)^#.*\\b(age1[0-9a-z]{10,100})\\s*$");
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Map<String, String> environment;
    private final boolean sops;

    /// @param sops whether somebody here could use a key
    KeyChecks(Map<String, String> environment, boolean sops) {
        this.environment = environment;
        this.sops = sops;
    }

    List<Check> look() {
        List<Check> checks = new ArrayList<>();
        if (!environment.getOrDefault("SOPS_AGE_KEY", "").isEmpty()) {
            checks.add(Check.ok("age key", "in SOPS_AGE_KEY"));
        }
        ageFile().ifPresent(file -> checks.add(age(file)));
        gpgHome().ifPresent(folder -> checks.add(gpg(folder)));
        if (checks.isEmpty() && sops) {
            checks.add(Check.warn(
                    "keys",
                    "sops is here, and neither an age key nor a GPG folder",
                    "mount the key and name it: " + AGE_FILE + "=/path/to/keys.txt"));
        }
        return checks;
    }

    /// The file that is named, or the one at SOPS's usual place if it is there.
    private Optional<Path> ageFile() {
        String named = environment.getOrDefault(AGE_FILE, "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path base = config.isEmpty() ? Path.of(environment.getOrDefault("HOME", "/"), ".config") : Path.of(config);
        return Optional.of(base.resolve("sops/age/keys.txt")).filter(Files::exists);
    }

    private static Check age(Path file) {
        if (!Files.exists(file)) {
            return Check.fail("age key", file + " is not there", "mount the key there, or correct " + AGE_FILE);
        }
        if (!Files.isRegularFile(file)) {
            return Check.fail("age key", file + " is no file", "name the key's file in " + AGE_FILE);
        }
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return Check.fail(
                    "age key",
                    file + " may not be read by this user" + owner(file),
                    "chown this user's key to him, or set fsGroup or defaultMode of the Secret's volume");
        }
        long keys = PRIVATE.matcher(text).results().count();
        if (keys == 0) {
            return Check.fail("age key", file + " holds no line AGE-SECRET-KEY-1…", "make one: age-keygen -o " + file);
        }
        Matcher recipient = RECIPIENT.matcher(text);
        String whose = recipient.find() ? " (" + recipient.group(1).substring(0, 10) + "…)" : "";
        String finding = keys + (keys == 1 ? " key in " : " keys in ") + file + whose;
        return openToOthers(file)
                ? Check.warn("age key", finding + ", which other users may read", "chmod 600 " + file)
                        .repairedBy(() -> change(file, "rw-------"))
                : Check.ok("age key", finding);
    }

    private Optional<Path> gpgHome() {
        String named = environment.getOrDefault("GNUPGHOME", "");
        return named.isEmpty()
                ? Optional.of(Path.of(environment.getOrDefault("HOME", "/"), ".gnupg"))
                        .filter(Files::exists)
                : Optional.of(Path.of(named));
    }

    /// Secret keys lie in files of their own since GnuPG 2.1, named by their keygrips.
    private static Check gpg(Path home) {
        if (!Files.isDirectory(home)) {
            return Check.fail("gpg keys", home + " is no folder", "mount the keyring there, or correct GNUPGHOME");
        }
        long keys;
        Path folder = home.resolve("private-keys-v1.d");
        try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
            keys = files.filter(file -> file.toString().endsWith(".key"))
                    .filter(Files::isReadable)
                    .count();
        } catch (IOException e) {
            return Check.fail(
                    "gpg keys",
                    folder + " may not be read by this user" + owner(folder),
                    "chown -R \"$(id -u)\" " + home);
        }
        if (keys == 0) {
            return Check.warn("gpg keys", home + " holds no secret key", "gpg --homedir " + home + " --import KEYFILE");
        }
        String finding = keys + (keys == 1 ? " secret key in " : " secret keys in ") + home;
        if (!Files.isWritable(home)) {
            return Check.warn(
                    "gpg keys",
                    finding + ", where gpg cannot write its locks and its agent's socket",
                    "copy it to a writable folder of mode 0700 in spec.init, and set GNUPGHOME");
        }
        return openToOthers(home)
                ? Check.warn("gpg keys", finding + ", which other users may enter", "chmod 700 " + home)
                        .repairedBy(() -> change(home, "rwx------"))
                : Check.ok("gpg keys", finding);
    }

    private static String change(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return "mode of " + file + " set to " + mode;
    }

    private static boolean openToOthers(Path file) {
        try {
            return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
        } catch (IOException | UnsupportedOperationException e) {
            return false; // A file system without modes has nothing to put right.
        }
    }

    private static String owner(Path file) {
        try {
            return " (owner " + Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) + ", mode "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) + ")";
        } catch (IOException | UnsupportedOperationException e) {
            return " (" + Fault.words(e) + ")";
        }
    }
}
