package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The part of a JDK that Remora needs, as jlink makes it, and the start cache that belongs to it.
final class RuntimeImage {
    /// Found by name at run time, so that jdeps cannot see it: metrics read the system's figures in one, Netty and
    /// Protobuf look for `sun.misc.Unsafe` in the other.
    private static final Set<String> BY_NAME = Set.of("jdk.management", "jdk.unsupported");

    /// Referred to by parts of libraries that we never enter: Micrometer's binders for data sources and Swing,
    /// annotation processors, Guava's compile-time marks, gRPC's look-up of services in DNS.
    private static final Set<String> NEVER_ENTERED = Set.of(
            "java.compiler",
            "java.desktop",
            "java.instrument",
            "java.sql",
            "java.xml",
            "jdk.jfr",
            "java.naming",
            "java.management.rmi");

    /// What ran how often is of use to the second compiler alone, which a server does not have; without it the cache is
    /// 3 MB smaller, on disk and in memory.
    private static final String NO_PROFILES = "-XX:-AOTRecordTraining";

    /// The list that an older kind of start cache is made from, what other Java versions read a runtime's classes with,
    /// and sorting for the optimizing compiler, which a server does not have.
    private static final String UNUSED_FILES = "**/lib/classlist,**/lib/jrt-fs.jar,**/lib/libsimdsort.so";

    /// Output of jdeps or of the rehearsal that a message repeats.
    private static final int MESSAGE_CHARACTERS = 2_000;

    private RuntimeImage() {}

    /// Links the modules that the jar and its libraries need into a runtime.
    static void link(Path jar, Path runtime) {
        tool(
                "jlink",
                "--add-modules",
                String.join(",", modules(jar)),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--exclude-files",
                UNUSED_FILES,
                "--compress",
                "zip-9",
                "--vm",
                "server",
                "--output",
                runtime.toString());
        strip(runtime);
    }

    /// Where binutils are, the symbol tables that only debuggers read go too: 5 MB. What strip cannot do stays as it
    /// is.
    private static void strip(Path runtime) {
        try (Stream<Path> files = Files.walk(runtime)) {
            List<String> command = new ArrayList<>(List.of("strip", "--strip-unneeded"));
            files.filter(file -> file.toString().endsWith(".so")).forEach(file -> command.add(file.toString()));
            Process strip = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            int _ = strip.waitFor();
        } catch (IOException absent) {
            // no binutils: a larger package works as well
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "interrupted while making the runtime smaller", e);
        }
    }

    static Set<String> modules(Path jar) {
        String found = tool(
                "jdeps",
                "--multi-release",
                "25",
                "--ignore-missing-deps",
                "--print-module-deps",
                "--recursive",
                "--class-path",
                jar.resolveSibling("lib") + "/*",
                jar.toString());
        var modules = new TreeSet<>(Arrays.asList(found.strip().split(",", -1)));
        modules.addAll(BY_NAME);
        modules.removeAll(NEVER_ENTERED);
        return modules;
    }

    /// Rehearses with the packaged runtime and flags, and keeps `app/start.aot`. Returns what went wrong, if something
    /// did; what the rehearsal reached is in the cache all the same.
    static Optional<String> train(Path folder) throws IOException {
        Path work = Files.createTempDirectory("remora");
        try {
            var rehearsal = new ProcessBuilder(trainingCommand(folder, work))
                    .redirectErrorStream(true)
                    .redirectOutput(work.resolve("log").toFile());
            rehearsal.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            rehearsal.environment().put("ARGOCD_PLUGINSOCKFILEPATH", work.toString());
            rehearsal.environment().put("ARGOCD_CMP_WORKDIR", work.toString());
            int exit = rehearsal.start().waitFor();
            String log = Files.readString(work.resolve("log"), StandardCharsets.UTF_8);
            if (Files.notExists(folder.resolve("app/start.aot"))) {
                throw new Fault(
                        FaultCode.INTERNAL, "no start cache; the training ended with " + exit + ": " + end(log));
            }
            return exit == 0 ? Optional.empty() : Optional.of("the rehearsal was not complete: " + end(log));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Fault(FaultCode.CALL_CANCELLED, "interrupted while training the start cache", e);
        } finally {
            FolderCopy.delete(work);
        }
    }

    private static List<String> trainingCommand(Path folder, Path work) {
        var command = new ArrayList<String>();
        command.add(folder.resolve("runtime/bin/java").toString());
        command.add("@" + folder.resolve("options/jvm.options"));
        command.add("@" + folder.resolve("options/serve.options"));
        command.add(NO_PROFILES);
        command.add("-XX:AOTCacheOutput=" + folder.resolve("app/start.aot"));
        command.addAll(List.of("-cp", folder.resolve("app/remora.jar").toString()));
        command.addAll(List.of("dev.remora.cli.Rehearsal", work.toString()));
        return command;
    }

    private static String tool(String name, String... arguments) {
        ToolProvider tool = ToolProvider.findFirst(name)
                .orElseThrow(() -> new Fault(
                        FaultCode.UNSUPPORTED_SYSTEM,
                        "this Java has no " + name + "; run ./remora package with a JDK"));
        var out = new StringWriter();
        int exit = tool.run(new PrintWriter(out, true), new PrintWriter(out, true), arguments);
        if (exit != 0) {
            throw new Fault(FaultCode.INTERNAL, name + " ended with " + exit + ": " + end(out.toString()));
        }
        return out.toString();
    }

    private static String end(String text) {
        return text.substring(Math.max(0, text.length() - MESSAGE_CHARACTERS)).strip();
    }
}
