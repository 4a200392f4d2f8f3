package dev.remora.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTest {
    @TempDir
    Path folder;

    private Directory directory;

    @BeforeEach
    void open() throws ErrnoException {
        directory = Directory.open(Bytes.utf8(folder.toString()));
    }

    @AfterEach
    void close() {
        directory.close();
    }

    private static Bytes name(String text) {
        return Bytes.utf8(text);
    }

    private static void fails(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void listsMoreThanOneBufferHolds() throws IOException {
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 2000; i++) {
            String name = "a-name-that-takes-some-room-" + i;
            Files.createFile(folder.resolve(name));
            made.add(name);
        }

        Set<String> listed = new HashSet<>();
        directory.visit(entry -> listed.add(entry.name().toString()));

        assertThat(listed).isEqualTo(made);
        assertThat(directory.list()).hasSize(2000);
    }

    @Test
    void tellsTypesApart() throws IOException {
        Files.createDirectory(folder.resolve("d"));
        Files.createFile(folder.resolve("f"));
        Files.createSymbolicLink(folder.resolve("l"), Path.of("d"));

        assertThat(directory.status(name("d")).type()).isEqualTo(FileType.DIRECTORY);
        assertThat(directory.status(name("f")).type()).isEqualTo(FileType.REGULAR);
        assertThat(directory.status(name("l")).type()).isEqualTo(FileType.SYMLINK);
        assertThat(directory.statusFollowing(name("l")).type()).isEqualTo(FileType.DIRECTORY);
        assertThat(directory.status().type()).isEqualTo(FileType.DIRECTORY);
        assertThat(directory.readLink(name("l"))).isEqualTo(name("d"));
        assertThat(directory.find(name("none"))).isEmpty();
    }

    @Test
    void knowsSizeTimesLinksAndIdentity() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "12345");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_900L));
        Files.createLink(folder.resolve("second"), file);

        FileStatus status = directory.status(name("f"));

        assertThat(status.size()).isEqualTo(5);
        assertThat(status.modifiedSeconds()).isEqualTo(1_700_000_000L);
        assertThat(status.links()).isEqualTo(2);
        assertThat(status.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        assertThat(status.owner()).isEqualTo(Files.getAttribute(file, "unix:uid"));
        assertThat(status).isEqualTo(directory.status(name("second")));
    }

    @Test
    void followsNoLinkUnlessTold() throws IOException {
        Files.createDirectory(folder.resolve("d"));
        Files.writeString(folder.resolve("f"), "1");
        Files.createSymbolicLink(folder.resolve("ld"), Path.of("d"));
        Files.createSymbolicLink(folder.resolve("lf"), Path.of("f"));

        fails(Errno.ENOTDIR, () -> directory.openDirectory(name("ld")));
        fails(Errno.ELOOP, () -> directory.createFile(name("lf"), 0600));
        fails(Errno.ELOOP, () -> directory.openFile(name("lf")));
        fails(Errno.ELOOP, () -> directory.openOrCreateFile(name("lf"), 0600));
        assertThat(Files.readString(folder.resolve("f"))).isEqualTo("1");
    }

    @Test
    void refusesNulInsteadOfNamingAnotherFile() {
        fails(Errno.EINVAL, () -> directory.createFile(name("a\0b"), 0600));
        fails(Errno.EINVAL, () -> directory.makeLink(name("l"), name("a\0b")));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void writesFromTheHeapAndFromOutside() throws IOException {
        try (OpenFile file = directory.createFile(name("f"), 0640);
                NativeBuffer buffer = NativeBuffer.allocate(10)) {
            file.write(ByteBuffer.wrap("heap ".getBytes(StandardCharsets.UTF_8)));
            buffer.bytes().put("outside".getBytes(StandardCharsets.UTF_8));
            file.write(buffer.bytes().flip());
        }

        assertThat(Files.readString(folder.resolve("f"))).isEqualTo("heap outside");
    }

    @Test
    void readsToTheEnd() throws IOException {
        Files.writeString(folder.resolve("f"), "text");
        try (OpenFile file = directory.openFile(name("f"));
                NativeBuffer buffer = NativeBuffer.allocate(10)) {
            assertThat(file.read(buffer.bytes())).isEqualTo(4);
            assertThat(file.read(buffer.bytes())).isZero();
            assertThat(StandardCharsets.UTF_8.decode(buffer.bytes().flip()).toString())
                    .isEqualTo("text");
        }
    }

    @Test
    void locksOnlyOnceAtATime() throws IOException {
        OpenFile first = directory.openOrCreateFile(name("lock"), 0600);
        try (OpenFile second = directory.openOrCreateFile(name("lock"), 0600)) {
            assertThat(first.tryLock()).isTrue();
            assertThat(second.tryLock()).isFalse();
            first.close();
            assertThat(second.tryLock()).isTrue();
        }
    }

    @Test
    void makesRenamesAndRemoves() throws IOException {
        directory.makeDirectory(name("d"), 0711);
        try (Directory inner = directory.openDirectory(name("d"))) {
            inner.createFile(name("f"), 0600).close();
            inner.rename(name("f"), directory, name("g"));
            fails(Errno.ENOENT, () -> inner.remove(name("f")));
        }
        directory.remove(name("g"));
        fails(Errno.EISDIR, () -> directory.remove(name("d")));
        directory.removeDirectory(name("d"));

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void knowsItsRealPath() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("l"), folder);
        try (Directory through = Directory.open(Bytes.utf8(link.toString()))) {
            assertThat(through.realPath().toString())
                    .isEqualTo(folder.toRealPath().toString());
        }
    }

    @Test
    void saysWhatItTriedAndWhy() {
        assertThatThrownBy(() -> directory.openDirectory(name("none")))
                .hasMessage("open none: no such file or directory");
    }
}
