package dev.remora.cli;

import dev.remora.digest.Sha256;
import dev.remora.manifest.RenderedObject.ObjectName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Names of files that every system takes, told apart also where upper and lower case are one.
///
/// Letters, digits, `.`, `_` and `-` stand for themselves, every other byte as `%3A`; so do a `.` at an end and the
/// first
/// letter of a name that Windows keeps for a device. What is too long is cut, with a digest of the whole behind `~`.
final class FileNames {
    /// Below 255 bytes, which most file systems take, with room for a temporary ending and for telling apart.
    private static final int MOST_LENGTH = 200;

    private static final int DIGEST_LENGTH = 8;
    /// What Windows takes for a device, whatever stands behind a dot.
    private static final Pattern DEVICE =
            Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?", Pattern.CASE_INSENSITIVE);

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._%~-]+");

    private FileNames() {}

    /// Whether a name is one that this class could have made.
    static boolean isSafe(String name) {
        return SAFE.matcher(name).matches()
                && !name.startsWith(".")
                && !name.endsWith(".")
                && !DEVICE.matcher(name).matches();
    }

    /// Folders of Applications, each its own, in their order. Of equal ones the first has the plain name.
    ///
    /// @param taken what they may not be called
    static List<String> ofApplications(List<String> applications, Set<String> taken) {
        Set<String> used = new HashSet<>(taken);
        List<String> names = new ArrayList<>();
        for (String application : applications) {
            names.add(unused(safe(application), used));
        }
        return names;
    }

    /// `<Kind>-<name>` of the objects of one Application, without an ending. Objects that would share one get their
    /// namespace behind it, those that still do a digest of all that names them, and real duplicates a number.
    static List<String> ofObjects(List<ObjectName> objects) {
        List<String> names = objects.stream()
                .map(each -> safe(each.kind() + "-" + each.name()))
                .toList();
        names = toldApart(names, objects, each -> each.namespace());
        names = toldApart(names, objects, FileNames::digest);
        Set<String> used = new HashSet<>();
        List<String> all = new ArrayList<>();
        for (String name : names) {
            all.add(unused(name, used));
        }
        return all;
    }

    private static List<String> toldApart(
            List<String> names, List<ObjectName> objects, java.util.function.Function<ObjectName, String> by) {
        Map<String, Integer> counts = new HashMap<>();
        names.forEach(name -> counts.merge(folded(name), 1, Integer::sum));
        List<String> told = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String more = by.apply(objects.get(i));
            boolean shared = counts.getOrDefault(folded(name), 0) > 1;
            told.add(shared && !more.isEmpty() ? shortened(name + "~" + escaped(more)) : name);
        }
        return told;
    }

    private static String unused(String name, Set<String> used) {
        String free = name;
        for (int i = 2; !used.add(folded(free)); i++) {
            free = name + "~" + i;
        }
        return free;
    }

    private static String safe(String text) {
        String escaped = escaped(text);
        if (escaped.isEmpty()) {
            return "_";
        }
        if (escaped.startsWith(".")) {
            escaped = "%2E" + escaped.substring(1);
        }
        if (escaped.endsWith(".")) {
            escaped = escaped.substring(0, escaped.length() - 1) + "%2E";
        }
        if (DEVICE.matcher(escaped).matches()) {
            escaped = hex(escaped.charAt(0)) + escaped.substring(1);
        }
        return shortened(escaped);
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte c : text.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || c == '.'
                    || c == '_'
                    || c == '-';
            out.append(plain ? Character.toString(c) : hex(c & 0xFF));
        }
        return out.toString();
    }

    private static String hex(int c) {
        return "%%%02X".formatted(c);
    }

    private static String shortened(String name) {
        return name.length() <= MOST_LENGTH
                ? name
                : name.substring(0, MOST_LENGTH) + "~" + digest(name.getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(ObjectName name) {
        String all = String.join("\n", name.apiVersion(), name.kind(), name.namespace(), name.name());
        return digest(all.getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(byte[] bytes) {
        return Sha256.hex(bytes).substring(0, DIGEST_LENGTH);
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
