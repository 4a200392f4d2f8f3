package dev.remora.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/// The classes of Remora and of its libraries that the command line can reach, by the names in their constant pools.
/// More than half of
/// the libraries' bytes is not: collections that no one calls, binders for other systems, messages of other services.
///
/// It errs on the side of keeping. A name counts wherever it is written: as a type, inside a descriptor or a generic
/// signature, and as a text, because that is how libraries name the classes that they load by reflection. A service's
/// providers count when the service itself does.
final class NeededClasses {
    private static final String CLASS = ".class";
    private static final String SERVICES = "META-INF/services/";
    private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/\\d+/(.+)");
    /// What stands between the types of a descriptor or signature.
    private static final Pattern BETWEEN_TYPES = Pattern.compile("[;<>():*+^-]+");
    /// What may stand before a type's name: dimensions, primitive types, the letter of a class.
    private static final Pattern BEFORE_NAME = Pattern.compile("^[\\[BCDFIJSZV]*L");

    /// All forms of each library class: a jar may hold several, for different versions of Java.
    private final Map<String, List<byte[]>> classes = new HashMap<>();

    private final Map<String, List<String>> providers = new HashMap<>();
    private final Set<String> needed = new HashSet<>();
    private final Deque<byte[]> unread = new ArrayDeque<>();

    private NeededClasses() {}

    /// The needed classes of `program` and `libraries`, as in `java/lang/String`: those that `main` reaches.
    static Set<String> of(Path program, String main, List<Path> libraries) throws IOException {
        NeededClasses search = new NeededClasses();
        search.index(program);
        for (Path library : libraries) {
            search.index(library);
        }
        search.reach(main);
        search.providers.forEach((service, names) -> {
            if (!search.classes.containsKey(service)) { // one of the JDK's
                names.forEach(search::reach);
            }
        });
        search.follow();
        return search.needed;
    }

    /// The class that a jar's entry defines, whatever version of Java it is for.
    static String className(String entry) {
        var versioned = VERSIONED.matcher(entry);
        String name = versioned.matches() ? versioned.group(1) : entry;
        return name.substring(0, name.length() - CLASS.length());
    }

    private void index(Path library) throws IOException {
        try (JarFile jar = new JarFile(library.toFile())) {
            for (JarEntry entry : entries(jar)) {
                String name = entry.getName();
                if (name.endsWith(CLASS)) {
                    classes.computeIfAbsent(className(name), _ -> new ArrayList<>())
                            .add(content(jar, entry));
                } else if (name.startsWith(SERVICES) && !entry.isDirectory()) {
                    providers
                            .computeIfAbsent(
                                    name.substring(SERVICES.length()).replace('.', '/'), _ -> new ArrayList<>())
                            .addAll(providerNames(content(jar, entry)));
                }
            }
        }
    }

    private static List<String> providerNames(byte[] file) {
        return new String(file, StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip().replace('.', '/'))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private void follow() {
        while (!unread.isEmpty()) {
            for (PoolEntry entry : ClassFile.of().parse(unread.remove()).constantPool()) {
                if (entry instanceof Utf8Entry text) {
                    names(text.stringValue());
                }
            }
        }
    }

    private void names(String text) {
        reach(text.replace('.', '/'));
        if (text.indexOf('L') >= 0) {
            for (String type : BETWEEN_TYPES.split(text, 0)) {
                reach(BEFORE_NAME.matcher(type).replaceFirst(""));
            }
        }
    }

    private void reach(String name) {
        List<byte[]> forms = classes.get(name);
        if (forms != null && needed.add(name)) {
            unread.addAll(forms);
            providers.getOrDefault(name, List.of()).forEach(this::reach);
        }
    }

    private static List<JarEntry> entries(JarFile jar) {
        List<JarEntry> entries = new ArrayList<>();
        for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
            entries.add(all.nextElement());
        }
        return entries;
    }

    private static byte[] content(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream stream = jar.getInputStream(entry)) {
            return stream.readAllBytes();
        }
    }
}
