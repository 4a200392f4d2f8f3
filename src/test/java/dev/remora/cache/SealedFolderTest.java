package dev.remora.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.OpenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedFolderTest {
    private static final long MOST = 1 << 20;

    @TempDir
    Path temporary;

    private CacheKey key;
    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void makeKey() {
        key = CacheKey.of(temporary.resolve("config/cache.key"));
    }

    private SealedFolder open(long most) {
        return SealedFolder.open(temporary.resolve("cache"), key, most);
    }

    private Path answers() {
        return temporary.resolve("cache/answers/v1");
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(answers())) {
            return all.sorted().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Optional<String> find(SealedFolder folder, String name) {
        return folder.find(name, warnings::add).map(bytes -> new String(bytes, UTF_8));
    }

    private boolean put(SealedFolder folder, String name, String content) {
        return folder.put(name, content.getBytes(UTF_8), warnings::add);
    }

    @Test
    void givesToALaterProcessWhatWasPut() {
        try (SealedFolder folder = open(MOST)) {
            assertThat(put(folder, "one", "first")).isTrue();
            assertThat(put(folder, "one", "second")).isTrue();
        }

        try (SealedFolder folder = open(MOST)) {
            assertThat(find(folder, "one")).contains("second");
            assertThat(find(folder, "two")).isEmpty();
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void showsNeitherNameNorContentOnDisk() throws IOException {
        String secret = "password-of-payments";
        try (SealedFolder folder = open(MOST)) {
            put(folder, "last payments-prod", secret);
            put(folder, "last payments-test", secret);
        }

        assertThat(files()).hasSize(2);
        for (Path file : files()) {
            assertThat(file.getFileName().toString()).matches("[0-9a-f]{64}");
            assertThat(Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1))
                    .doesNotContain(secret)
                    .doesNotContain("payments");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(answers())))
                .isEqualTo("rwx------");
        assertThat(Files.readAllBytes(files().getFirst())).isNotEqualTo(Files.readAllBytes(files().getLast()));
    }

    @Test
    void takesEveryChangedByteForNoAnswerAndWarns() throws IOException {
        try (SealedFolder folder = open(MOST)) {
            put(folder, "one", "content");
            Path file = files().getFirst();
            byte[] good = Files.readAllBytes(file);
            for (int i = 0; i < good.length; i++) {
                byte[] bad = good.clone();
                bad[i] ^= 1;
                Files.write(file, bad);
                assertThat(find(folder, "one")).isEmpty();
            }
            assertThat(warnings).hasSize(good.length);
            for (int length = 0; length < good.length; length++) {
                Files.write(file, java.util.Arrays.copyOf(good, length));
                assertThat(find(folder, "one")).isEmpty();
            }
            assertThat(warnings)
                    .hasSize(2 * good.length)
                    .allMatch(warning -> warning.startsWith("the kept answer " + file + " is not used: "));
            Files.write(file, good);
            assertThat(find(folder, "one")).contains("content");
        }
    }

    @Test
    void takesAnotherEntryInItsPlaceForNoAnswer() throws IOException {
        try (SealedFolder folder = open(MOST)) {
            put(folder, "one", "1");
            Path one = files().getFirst();
            put(folder, "two", "2");
            Path two = files().stream()
                    .filter(file -> !file.equals(one))
                    .findFirst()
                    .orElseThrow();
            Files.copy(two, one, StandardCopyOption.REPLACE_EXISTING);

            assertThat(find(folder, "one")).isEmpty();
            assertThat(warnings).singleElement().asString().contains("damaged or was not written by Remora");
        }
    }

    @Test
    void followsNoLinkAndReadsNoFolder() throws IOException {
        try (SealedFolder folder = open(MOST)) {
            put(folder, "one", "1");
            Path one = files().getFirst();
            Path elsewhere = Files.move(one, temporary.resolve("elsewhere"));
            Files.createSymbolicLink(one, elsewhere);
            assertThat(find(folder, "one")).isEmpty();
            Files.delete(one);
            Files.createDirectory(one);
            assertThat(find(folder, "one")).isEmpty();
            assertThat(warnings).hasSize(2).allMatch(warning -> warning.contains("no regular file"));
        }
    }

    @Test
    void opensNothingWithAnotherKey() throws IOException {
        try (SealedFolder folder = open(MOST)) {
            put(folder, "one", "1");
        }
        CacheKey other = CacheKey.of(temporary.resolve("other/cache.key"));
        try (SealedFolder folder = SealedFolder.open(temporary.resolve("cache"), other, MOST)) {
            assertThat(find(folder, "one")).isEmpty();
            put(folder, "one", "2");
            assertThat(find(folder, "one")).contains("2");
        }
        try (SealedFolder folder = open(MOST)) {
            assertThat(find(folder, "one")).contains("1");
        }
    }

    @Test
    void removesWhatWasUsedLongestAgoAboveItsBound() throws IOException {
        long most = 8 * 4096;
        try (SealedFolder folder = open(most)) {
            for (int i = 0; i < 8; i++) {
                List<Path> before = files();
                put(folder, "entry " + i, "x");
                for (Path file : files()) {
                    if (!before.contains(file)) {
                        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000L * (i + 1)));
                    }
                }
            }
            assertThat(find(folder, "entry 0")).contains("x");
            assertThat(put(folder, "entry 8", "x")).isTrue();
        }
        assertThat(files()).hasSize(8);
        try (SealedFolder folder = open(most)) {
            assertThat(find(folder, "entry 0")).contains("x");
            assertThat(find(folder, "entry 1")).isEmpty();
            assertThat(find(folder, "entry 8")).contains("x");
            assertThat(folder.put("large", new byte[(int) most + 1], warnings::add))
                    .isFalse();
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void staysWithinItsBoundWhileItIsOpen() {
        long most = 16 * 4096;
        try (SealedFolder folder = open(most)) {
            for (int i = 0; i < 100; i++) {
                put(folder, "entry " + i, "x");
                assertThat(files().size()).isLessThanOrEqualTo(16 + 5);
            }
        }
        assertThat(files().size()).isLessThanOrEqualTo(16);
    }

    @Test
    void sweepsWhatADeadProcessLeftAndNotWhatIsBeingWritten() throws IOException {
        try (SealedFolder folder = open(MOST)) {
            put(folder, "one", "1");
            Files.write(answers().resolve(".dead.part"), new byte[3]);
            try (Directory directory = Directory.open(Bytes.utf8(answers().toString()));
                    OpenFile living = directory.createFile(Bytes.utf8(".living.part"), 0600)) {
                assertThat(living.tryLock()).isTrue();
                open(MOST).close();
                assertThat(answers().resolve(".dead.part")).doesNotExist();
                assertThat(answers().resolve(".living.part")).exists();
            }
            open(MOST).close();
            assertThat(answers().resolve(".living.part")).doesNotExist();
            assertThat(find(folder, "one")).contains("1");
        }
    }

    @Test
    void refusesAFolderThatCannotBeMade() throws IOException {
        Files.writeString(temporary.resolve("cache"), "a file");
        assertThatThrownBy(() -> open(MOST)).isInstanceOf(Fault.class).hasMessageContaining("cannot make");
    }
}
