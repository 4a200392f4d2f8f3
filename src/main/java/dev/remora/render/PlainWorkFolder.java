package dev.remora.render;

import dev.remora.archive.EntrySink;
import dev.remora.archive.UnpackOptions;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A work folder on systems that are not Linux, by the JDK's own file calls.
///
/// @param keep whether it stays when closed
record PlainWorkFolder(Path folder, boolean keep) implements WorkFolder {
    static PlainWorkFolder open(Bytes base, Optional<Bytes> keep) {
        try {
            return keep.isPresent()
                    ? new PlainWorkFolder(
                            Files.createDirectory(Path.of(keep.get().toString(), WORK.toString())), true)
                    : new PlainWorkFolder(
                            Files.createTempDirectory(Path.of(base.toString()), "remora-")
                                    .toRealPath(),
                            false);
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot make a work folder: " + Fault.words(e), e);
        }
    }

    @Override
    public Bytes path() {
        return Bytes.utf8(folder.toString());
    }

    @Override
    public EntrySink sink(UnpackOptions options) {
        return new PlainSink(folder, options.preserveFileMode());
    }

    @Override
    public Bytes privateHome() {
        throw new IllegalStateException("no fence without Linux, so no folders for it");
    }

    @Override
    public Bytes privateTmp() {
        return privateHome();
    }

    @Override
    public void close() {
        if (keep) {
            return;
        }
        try {
            Files.walkFileTree(folder, new Removal());
        } catch (IOException e) {
            throw new Fault(FaultCode.WORKSPACE, "cannot remove " + folder + ": " + Fault.words(e), e);
        }
    }

    /// Removes files and links before the folders that hold them; follows no link.
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean _ = folder.toFile().setWritable(true) && folder.toFile().setExecutable(true);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
