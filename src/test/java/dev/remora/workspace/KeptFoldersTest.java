package dev.remora.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class KeptFoldersTest {
    private static final int LEVELS = 6000;
    private static final Bytes D = Bytes.utf8("d");

    @TempDir
    private Path folder;

    @Test
    void keepsAFolder() throws Exception {
        try (WorkRoot root = open();
                Workspace workspace = root.open()) {
            Files.writeString(Path.of(workspace.path().toString(), "a"), "a");
            Bytes kept = kept().keep(workspace, Bytes.utf8("k")).orElseThrow();
            assertThat(Path.of(kept.toString(), "work", "a")).hasContent("a");
        }
    }

    @Test
    void leavesAFolderThatIsDeeperThanItCanCount() throws Exception {
        try (WorkRoot root = open();
                Workspace workspace = root.open()) {
            Directory deepest = Directory.open(workspace.path());
            for (int level = 0; level < LEVELS; level++) {
                deepest.makeDirectory(D, 0755);
                Directory next = deepest.openDirectory(D);
                deepest.close();
                deepest = next;
            }
            deepest.close();
            assertThat(kept().keep(workspace, Bytes.utf8("k"))).isEmpty();
        }
    }

    private WorkRoot open() {
        return WorkRoot.open(WorkRootOptions.at(Bytes.utf8(folder.toString()), fault -> {}));
    }

    private KeptFolders kept() {
        return new KeptFolders(Bytes.utf8(folder.toString()), 2, 1_000_000);
    }
}
