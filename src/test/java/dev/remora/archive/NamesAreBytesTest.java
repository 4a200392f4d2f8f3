package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.DirectoryEntry;
import dev.remora.testing.ChildJvm;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A name that is no text goes from archive to folder to archive unharmed, whatever the locale.
class NamesAreBytesTest {
    private static final byte[] NAME = {'n', (byte) 0xff, (byte) 0xc3, '\n', (byte) 0xe2, (byte) 0x82, (byte) 0xac};

    @TempDir
    Path base;

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "C.UTF-8"})
    void keepsNamesInEveryLocale(String locale) throws Exception {
        ChildJvm.Result result = new ChildJvm()
                .environment(Map.of("LC_ALL", locale, "LANG", locale))
                .run(ThereAndBack.class, base.toString());

        assertThat(result.output()).isEqualTo(HexFormat.of().formatHex(NAME) + "\n");
    }

    @Test
    void keepsNamesHere() throws IOException {
        assertThat(thereAndBack(base.toString())).isEqualTo(Bytes.of(NAME));
    }

    static final class ThereAndBack {
        private ThereAndBack() {}

        public static void main(String[] args) throws IOException {
            System.out.println(HexFormat.of().formatHex(thereAndBack(args[0]).toArray()));
        }
    }

    /// Unpacks, packs, unpacks, and reads the name from the folder.
    private static Bytes thereAndBack(String base) throws IOException {
        Bytes path = Bytes.utf8(base);
        try (WorkRoot root = WorkRoot.open(WorkRootOptions.at(path, fault -> {}));
                Workspace one = root.open();
                Workspace two = root.open()) {
            unpack(new FakeArchive().file(NAME, "1").end().gzip(), one);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            PackReport report = TarGzPacker.pack(one.path(), entry -> false, packed);
            assertFiles(report);
            unpack(packed.toByteArray(), two);
            try (Directory again = Directory.open(two.path())) {
                DirectoryEntry only = again.list().getFirst();
                return only.name();
            }
        }
    }

    private static void assertFiles(PackReport report) {
        if (report.files() != 1) {
            throw new AssertionError(report.toString());
        }
    }

    private static void unpack(byte[] archive, Workspace workspace) {
        UnpackOptions options = UnpackOptions.DEFAULT;
        try (TarGzUnpacker unpacker = new TarGzUnpacker(new WorkspaceSink(workspace, options), options)) {
            unpacker.accept(ByteBuffer.wrap(archive));
            ArchiveReport _ = unpacker.finish();
        }
    }
}
