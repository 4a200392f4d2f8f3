package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// What commands see: this process's own environment, filtered where the definition says so, then the request's
/// entries (docs/spec/environment.md, "What a command gets").
///
/// @param own `NAME=VALUE` of this process, as bytes
public record CommandEnvironment(List<Bytes> own) {
    private static final Path PROCESS_ENVIRONMENT = Path.of("/proc/self/environ");
    private static final Bytes LOCALE_BEFORE = Bytes.utf8("REMORA_LOCALE_BEFORE=");
    private static final Bytes LOCALE = Bytes.utf8("LC_ALL=");

    public CommandEnvironment {
        own = List.copyOf(own);
    }

    /// This process's environment with `extra` set in it. A JVM decodes variables by the locale, so on Linux the
    /// kernel's bytes are read instead.
    public static CommandEnvironment ofThisProcess(Map<String, String> extra) {
        List<Bytes> all = asItWas(Files.isReadable(PROCESS_ENVIRONMENT) ? fromKernel() : fromJvm());
        extra.forEach(
                (name, value) -> all.add(EnvironmentVariable.of(name, value).assignment()));
        return new CommandEnvironment(all);
    }

    /// The environment before the launcher gave the JVM a locale that can name every file: it keeps in
    /// `REMORA_LOCALE_BEFORE` what `LC_ALL` was, after a `=`, or nothing when it was not set.
    static List<Bytes> asItWas(List<Bytes> now) {
        Optional<Bytes> before =
                now.stream().filter(one -> one.startsWith(LOCALE_BEFORE)).findFirst();
        List<Bytes> all = new ArrayList<>(now);
        before.ifPresent(kept -> {
            all.removeIf(one -> one.startsWith(LOCALE_BEFORE) || one.startsWith(LOCALE));
            Bytes was = kept.slice(LOCALE_BEFORE.length(), kept.length());
            if (!was.isEmpty()) {
                all.add(LOCALE.plus(was.slice(1, was.length())));
            }
        });
        return all;
    }

    /// The value of a variable of this process; of two the last.
    public Optional<Bytes> value(String name) {
        Bytes start = Bytes.utf8(name + "=");
        return own.reversed().stream()
                .filter(one -> one.startsWith(start))
                .map(one -> one.slice(start.length(), one.length()))
                .findFirst();
    }

    /// The complete environment of a command. Of two entries with one name the last wins; empty names are dropped.
    ///
    /// @param allowed which of this process's own variables a command may see, by name
    public List<Bytes> with(List<EnvironmentVariable> request, Predicate<String> allowed) {
        Map<Bytes, Bytes> byName = new LinkedHashMap<>();
        for (Bytes assignment : own) {
            int equals = assignment.indexOf((byte) '=', 1);
            if (equals > 0 && allowed.test(assignment.slice(0, equals).toString())) {
                byName.put(assignment.slice(0, equals), assignment);
            }
        }
        for (EnvironmentVariable variable : request) {
            if (!variable.name().isEmpty()) {
                byName.put(effectiveName(variable), variable.assignment());
            }
        }
        return List.copyOf(byName.values());
    }

    /// A name that holds `=` is cut there by whoever reads the environment.
    private static Bytes effectiveName(EnvironmentVariable variable) {
        int equals = variable.name().indexOf((byte) '=', 1);
        return equals < 0 ? variable.name() : variable.name().slice(0, equals);
    }

    private static List<Bytes> fromKernel() {
        byte[] all;
        try {
            all = Files.readAllBytes(PROCESS_ENVIRONMENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Bytes> entries = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == 0) {
                entries.add(Bytes.of(all, from, i));
                from = i + 1;
            }
        }
        return entries;
    }

    private static List<Bytes> fromJvm() {
        List<Bytes> entries = new ArrayList<>();
        System.getenv()
                .forEach((name, value) -> entries.add(Bytes.of((name + "=" + value).getBytes(StandardCharsets.UTF_8))));
        return entries;
    }
}
