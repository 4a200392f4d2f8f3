package dev.remora.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.DebugElementsOption;
import java.lang.classfile.ClassFile.LineNumbersOption;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A library's jar as a package carries it: without classes that are never reached, and without what only compilers and
/// debuggers read, as jlink leaves that out of the JDK's own classes. Both shrink the jars, the second also the start
/// cache that is made from them.
final class SlimJar {
    private static final String CLASS = ".class";
    private static final ClassFile BARE =
            ClassFile.of(DebugElementsOption.DROP_DEBUG, LineNumbersOption.DROP_LINE_NUMBERS);

    /// Without a reason to rewrite the code of a method it would be copied with its line numbers.
    private static final ClassTransform REWRITE_CODE =
            ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);

    private SlimJar() {}

    /// Writes a library's jar with only those of its classes that are `needed`.
    static void write(Path jar, Path slim, Set<String> needed) throws IOException {
        write(jar, slim, needed, bytes -> BARE.transformClass(BARE.parse(bytes), REWRITE_CODE));
    }

    /// The same of our own jar, whose faults should still tell their lines.
    static void writeWithLines(Path jar, Path slim, Set<String> needed) throws IOException {
        write(jar, slim, needed, bytes -> bytes);
    }

    private static void write(Path jar, Path slim, Set<String> needed, UnaryOperator<byte[]> classes)
            throws IOException {
        try (JarFile from = new JarFile(jar.toFile());
                OutputStream file = Files.newOutputStream(slim);
                ZipOutputStream to = new ZipOutputStream(file)) {
            to.setLevel(Deflater.BEST_COMPRESSION);
            for (Enumeration<JarEntry> entries = from.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (isKept(entry.getName(), needed)) {
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTime(entry.getTime());
                    to.putNextEntry(copy);
                    to.write(content(from, entry, classes));
                    to.closeEntry();
                }
            }
        }
    }

    private static boolean isKept(String name, Set<String> needed) {
        if (name.endsWith(CLASS)) {
            return needed.contains(NeededClasses.className(name));
        }
        return !name.startsWith("META-INF/maven/")
                && !name.startsWith("META-INF/proguard/")
                && !name.startsWith("META-INF/native-image/")
                && !name.endsWith(".proto")
                && !name.endsWith(".kotlin_module")
                && !name.endsWith("/");
    }

    private static byte[] content(JarFile jar, JarEntry entry, UnaryOperator<byte[]> classes) throws IOException {
        try (InputStream stream = jar.getInputStream(entry)) {
            byte[] bytes = stream.readAllBytes();
            return entry.getName().endsWith(CLASS) ? classes.apply(bytes) : bytes;
        }
    }
}
