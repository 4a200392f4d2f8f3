package dev.remora.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.DebugElementsOption;
import java.lang.classfile.ClassFile.LineNumbersOption;
import java.lang.classfile.ClassFileElement;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldTransform;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleParameterAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Set;
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
    private static final ClassFile BARE = ClassFile.of(
            DebugElementsOption.DROP_DEBUG, LineNumbersOption.DROP_LINE_NUMBERS, ConstantPoolSharingOption.NEW_POOL);
    private static final ClassFile WITH_LINES =
            ClassFile.of(DebugElementsOption.DROP_DEBUG, ConstantPoolSharingOption.NEW_POOL);

    /// Without a reason to rewrite the code of a method it would be copied with its line numbers.
    private static final ClassTransform WITHOUT_REMARKS = ClassTransform.dropping(SlimJar::isRemark)
            .andThen(ClassTransform.transformingFields(FieldTransform.dropping(SlimJar::isRemark)))
            .andThen(ClassTransform.transformingMethods(MethodTransform.dropping(SlimJar::isRemark)
                    .andThen(MethodTransform.transformingCode(SlimJar::copyWithoutRemarks))));

    private SlimJar() {}

    /// Writes a library's jar with only those of its classes that are `needed`.
    static void write(Path jar, Path slim, Set<String> needed) throws IOException {
        write(jar, slim, needed, BARE);
    }

    /// The same of our own jar, whose faults should still tell their lines.
    static void writeWithLines(Path jar, Path slim, Set<String> needed) throws IOException {
        write(jar, slim, needed, WITH_LINES);
    }

    private static void write(Path jar, Path slim, Set<String> needed, ClassFile classes) throws IOException {
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

    private static void copyWithoutRemarks(CodeBuilder to, CodeElement element) {
        if (!isRemark(element)) {
            to.with(element);
        }
    }

    /// What nobody asks for at run time: names of parameters, and annotations of types and for compilers.
    private static boolean isRemark(ClassFileElement element) {
        return element instanceof MethodParametersAttribute
                || element instanceof RuntimeInvisibleAnnotationsAttribute
                || element instanceof RuntimeInvisibleParameterAnnotationsAttribute
                || element instanceof RuntimeInvisibleTypeAnnotationsAttribute
                || element instanceof RuntimeVisibleTypeAnnotationsAttribute;
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

    private static byte[] content(JarFile jar, JarEntry entry, ClassFile classes) throws IOException {
        try (InputStream stream = jar.getInputStream(entry)) {
            byte[] bytes = stream.readAllBytes();
            return entry.getName().endsWith(CLASS)
                    ? classes.transformClass(classes.parse(bytes), WITHOUT_REMARKS)
                    : bytes;
        }
    }
}
