package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// One folder that holds all of Remora: runtime, jars, start cache and `bin/remora`. It runs from any path, read-only,
/// as any user, on a system without Java, so that an init container can lay it beside any tool.
///
/// ```
/// DIR/bin/remora   the launcher, for /bin/sh
/// DIR/runtime/     what jlink left of the JDK
/// DIR/app/         remora.jar, lib/, start.aot
/// DIR/options/     the JVM's flags
/// ```
///
/// The folder is made beside its place under another name and then renamed: it is whole or absent. Packaged Remora has
/// no jlink; there the folder is copied as it is. The start cache names the jars by their paths below the folder, so it
/// stays valid wherever the folder goes.
final class PackageFolder {
    private static final String MAIN = "dev/remora/cli/Main";
    private static final List<String> OPTIONS =
            List.of("jvm.options", "serve.options", "command.options", "compiler.json");

    /// Debian 12, Ubuntu 22.04 and RHEL 9 have at least this one.
    private static final int OLDEST_GLIBC = 34;

    private final Path target;
    private final Consumer<String> progress;

    PackageFolder(Path target, Consumer<String> progress) {
        this.target = target.toAbsolutePath().normalize();
        this.progress = progress;
    }

    /// Makes the folder and returns its size in bytes. `packaged` is the folder that this process runs from, if it is
    /// a packaged one.
    long make(Optional<Path> packaged) {
        try {
            refuseTaken();
            Path parent = target.getParent() == null ? target : target.getParent();
            Files.createDirectories(parent);
            Path made = Files.createDirectory(parent.resolve("." + target.getFileName() + ".new-"
                    + ProcessHandle.current().pid()));
            try {
                if (packaged.isPresent()) {
                    FolderCopy.copy(packaged.get(), made);
                } else {
                    assemble(made);
                }
                replace(made);
            } finally {
                FolderCopy.delete(made);
            }
            return FolderCopy.size(target);
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot make " + target + ": " + Fault.words(e), e);
        }
    }

    /// A former package may be replaced: an init container runs again when its pod is restarted.
    private void refuseTaken() throws IOException {
        if (Files.notExists(target) || isPackage(target)) {
            return;
        }
        if (Files.isDirectory(target)) {
            try (Stream<Path> entries = Files.list(target)) {
                if (entries.findAny().isEmpty()) {
                    return;
                }
            }
        }
        throw new Fault(FaultCode.USAGE, target + " exists and is no package; name a new or an empty folder");
    }

    private static boolean isPackage(Path folder) {
        return Stream.of("bin/remora", "app/remora.jar", "options/jvm.options", "runtime/bin/java")
                .allMatch(file -> Files.isRegularFile(folder.resolve(file)));
    }

    /// Puts the new folder into the place of nothing, of an empty folder or of a former package.
    private void replace(Path made) throws IOException {
        if (isPackage(target)) {
            Path former = made.resolveSibling(made.getFileName() + ".former");
            Files.move(target, former, StandardCopyOption.ATOMIC_MOVE);
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
            FolderCopy.delete(former);
            return;
        }
        Files.deleteIfExists(target);
        Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private void assemble(Path folder) throws IOException {
        Path jar = ownJar();
        Path app = Files.createDirectory(folder.resolve("app"));
        jars(jar, app);
        Path options = Files.createDirectory(folder.resolve("options"));
        for (String name : OPTIONS) {
            resource("/jvm/" + name, options.resolve(name));
        }
        Path launcher = Files.createDirectory(folder.resolve("bin")).resolve("remora");
        resource("/package/remora", launcher);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path runtime = folder.resolve("runtime");
        progress.accept("linking the runtime");
        RuntimeImage.link(app.resolve("remora.jar"), runtime);
        int glibc = GlibcNeed.minorOf(runtime);
        if (glibc > OLDEST_GLIBC) {
            progress.accept(
                    "this JDK needs glibc 2." + glibc + ", and so will the package; Temurin runs on older systems");
        }
        progress.accept("training the start cache");
        RuntimeImage.train(folder).ifPresent(progress);
    }

    private static void jars(Path jar, Path app) throws IOException {
        List<Path> libraries = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(jar.resolveSibling("lib"))) {
            jars.forEach(libraries::add);
        }
        Set<String> needed = NeededClasses.of(jar, MAIN, libraries);
        SlimJar.writeWithLines(jar, app.resolve("remora.jar"), needed);
        Path folder = Files.createDirectory(app.resolve("lib"));
        for (Path library : libraries) {
            SlimJar.write(library, folder.resolve(library.getFileName()), needed);
        }
    }

    private static Path ownJar() {
        try {
            Path jar = Path.of(PackageFolder.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(jar) && Files.isDirectory(jar.resolveSibling("lib"))) {
                return jar;
            }
            throw new Fault(FaultCode.USAGE, "runs from " + jar + ", not from a jar with its libraries; use ./remora");
        } catch (URISyntaxException e) {
            throw new Fault(FaultCode.INTERNAL, "where this program lies: " + Fault.words(e), e);
        }
    }

    private static void resource(String name, Path file) throws IOException {
        try (InputStream content = PackageFolder.class.getResourceAsStream(name)) {
            if (content == null) {
                throw new Fault(FaultCode.INTERNAL, "the jar lacks " + name);
            }
            Files.copy(content, file);
        }
    }
}
