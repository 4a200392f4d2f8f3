package dev.remora.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.Processes;
import dev.remora.testing.ChildJvm;
import dev.remora.testing.NeedsRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkRootTest {
    @TempDir
    Path base;

    private final List<Fault> failures = new CopyOnWriteArrayList<>();

    private WorkRootOptions options() {
        return WorkRootOptions.at(Bytes.utf8(base.toString()), failures::add);
    }

    private List<String> servers() throws IOException {
        try (Stream<Path> all = Files.list(base.resolve("_cmp_server"))) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals("lock"))
                    .toList();
        }
    }

    @Test
    void keepsItsFolderToItself() throws IOException {
        try (WorkRoot root = WorkRoot.open(options())) {
            assertThat(root.path().toString()).startsWith(base + "/_cmp_server/remora-");
            assertThat(mode(Path.of(root.path().toString()))).isEqualTo("-wx------");
            assertThat(mode(base.resolve("_cmp_server"))).isEqualTo("rwx------");
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void lendsEachRequestAnEmptyFolderUnderANewName() throws IOException {
        try (WorkRoot root = WorkRoot.open(options());
                Workspace one = root.open();
                Workspace two = root.open()) {
            assertThat(one.path()).isNotEqualTo(two.path());
            assertThat(one.path().startsWith(root.path())).isTrue();
            assertThat(Path.of(one.path().toString())).isEmptyDirectory();
            assertThat(one.path().toString()).matches(".*/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/tree");
        }
    }

    @Test
    @NeedsRoot
    void letsNobodyListIt() throws Exception {
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));

        ChildJvm.Result result = new ChildJvm().unprivileged().run(Listing.class, base.toString());

        assertThat(result.output()).isEqualTo("cannot list, can enter\nswept 1\n");
    }

    /// Looks for its neighbours, dies, and is swept by the next.
    static final class Listing {
        private Listing() {}

        public static void main(String[] args) throws IOException {
            WorkRootOptions options = WorkRootOptions.at(Bytes.utf8(args[0]), fault -> {});
            WorkRoot root = WorkRoot.open(options);
            try (Workspace workspace = root.open()) {
                boolean listed = Path.of(root.path().toString()).toFile().list() != null;
                boolean entered = Files.isDirectory(Path.of(workspace.path().toString()));
                System.out.println((listed ? "can list" : "cannot list") + (entered ? ", can enter" : ", cannot"));
            }
            root.close();
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Dying.class.getName(),
                            args[0])
                    .inheritIO()
                    .start()
                    .onExit()
                    .join();
            try (WorkRoot next = WorkRoot.open(options)) {
                System.out.println("swept " + next.swept());
            }
        }
    }

    /// Ends with a place lent.
    static final class Dying {
        private Dying() {}

        public static void main(String[] args) {
            WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(args[0]), fault -> {}));
            Workspace _ = root.open();
            Runtime.getRuntime().halt(137);
        }
    }

    @Test
    void keepsAPrivateHomeAndTmpBesideTheTree() throws Exception {
        try (WorkRoot root = WorkRoot.open(options())) {
            Path home;
            try (Workspace workspace = root.open()) {
                home = Path.of(workspace.privateHome().toString());
                Path tmp = Path.of(workspace.privateTmp().toString());
                assertThat(home.resolveSibling("tree"))
                        .isEqualTo(Path.of(workspace.path().toString()));
                assertThat(tmp.getParent()).isEqualTo(home.getParent());
                assertThat(mode(home)).isEqualTo("rwx------");
                assertThat(mode(tmp)).isEqualTo("rwx------");
                assertThat(mode(home.resolve("..").normalize())).isEqualTo("rwx------");
                assertThat(workspace.privateHome().toString()).isEqualTo(home.toString());
                assertThat(Path.of(workspace.path().toString())).isEmptyDirectory();
                Files.writeString(home.resolve("f"), "1");
            }
            for (int i = 0; i < 500 && Files.exists(home); i++) {
                Thread.sleep(10);
            }
            assertThat(home).doesNotExist();
        }
    }

    /// As when the disk is full: what was given back counts as room although it is not removed yet.
    @Test
    void waitsForWhatIsBeingRemoved() throws IOException {
        try (WorkRoot root = WorkRoot.open(options())) {
            assertThat(root.awaitRemovals()).isFalse();
            Path tree;
            try (Workspace workspace = root.open()) {
                tree = Path.of(workspace.path().toString());
                for (int i = 0; i < 2_000; i++) {
                    Files.createFile(tree.resolve("f" + i));
                }
            }
            boolean _ = root.awaitRemovals();

            assertThat(tree).doesNotExist();
            assertThat(root.awaitRemovals()).isFalse();
        }
    }

    @Test
    void removesWhatWasGivenBackBeforeItIsClosed() throws IOException {
        Path path;
        try (WorkRoot root = WorkRoot.open(options())) {
            for (int i = 0; i < 100; i++) {
                try (Workspace workspace = root.open()) {
                    path = Path.of(workspace.path().toString());
                    Files.writeString(path.resolve("f"), "1");
                    Files.createDirectories(path.resolve("d/e"));
                }
            }
        }

        assertThat(servers()).isEmpty();
        assertThat(failures).isEmpty();
    }

    @Test
    void removesInTheBackgroundWhileItIsOpen() throws Exception {
        try (WorkRoot root = WorkRoot.open(options())) {
            Path path;
            try (Workspace workspace = root.open()) {
                path = Path.of(workspace.path().toString());
                Files.writeString(path.resolve("f"), "1");
            }
            for (int i = 0; i < 500 && Files.exists(path); i++) {
                Thread.sleep(10);
            }
            assertThat(path).doesNotExist();
        }
    }

    @Test
    void removesLaterWhatItHadNoDescriptorFor() throws Exception {
        assertThat(new ChildJvm().run(WithoutDescriptors.class, base.toString()).output())
                .isEqualTo("failed, gone\n");
    }

    /// Gives a folder back when no descriptor is left, and another when there are again.
    static final class WithoutDescriptors {
        public static void main(String[] arguments) throws Exception {
            List<Fault> failures = new CopyOnWriteArrayList<>();
            long before = Processes.softLimit(Processes.OURSELVES, Processes.RLIMIT_NOFILE);
            try (WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(arguments[0]), failures::add))) {
                loadClasses(root);
                Workspace first = root.open();
                Path path = Path.of(first.path().toString());
                Files.createDirectories(path.resolve("d/e"));
                Workspace second = root.open();
                long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NOFILE, 1);
                first.close();
                for (int i = 0; i < 500 && failures.isEmpty(); i++) {
                    Thread.sleep(10);
                }
                long _ = Processes.limitSoftly(Processes.OURSELVES, Processes.RLIMIT_NOFILE, before);
                second.close();
                for (int i = 0; i < 500 && Files.exists(path); i++) {
                    Thread.sleep(10);
                }
                System.out.println(
                        (failures.isEmpty() ? "no failure" : "failed") + (Files.exists(path) ? ", left" : ", gone"));
            }
        }

        /// Classes that lie in a folder cannot be loaded without a descriptor.
        private static void loadClasses(WorkRoot root) throws Exception {
            root.open().close();
            try {
                Directory.open(Bytes.utf8("/nowhere")).close();
            } catch (ErrnoException e) {
                assertThat(new Fault(FaultCode.WORKSPACE, Fault.words(e), e)).hasMessageContaining("nowhere");
            }
        }
    }

    @Test
    void sweepsWhatADeadServerLeft() throws Exception {
        ChildJvm.Result killed = new ChildJvm().run(DyingServer.class, base.toString());
        assertThat(killed.output()).startsWith("left ");
        Path left = Path.of(killed.output().strip().substring("left ".length()));
        assertThat(left.resolve("f")).exists();

        try (WorkRoot root = WorkRoot.open(options())) {
            assertThat(root.swept()).isEqualTo(1);
        }

        assertThat(left).doesNotExist();
        assertThat(servers()).isEmpty();
        assertThat(failures).isEmpty();
    }

    /// Ends without closing anything, as a killed server does.
    static final class DyingServer {
        private DyingServer() {}

        public static void main(String[] args) throws IOException {
            WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(args[0]), fault -> {}));
            Workspace workspace = root.open();
            Files.writeString(Path.of(workspace.path().toString(), "f"), "1");
            System.out.println("left " + workspace.path());
            System.out.flush();
            Runtime.getRuntime().halt(137);
        }
    }

    @Test
    void neverSweepsWhatALivingServerUses() throws IOException {
        try (WorkRoot living = WorkRoot.open(options());
                Workspace workspace = living.open()) {
            try (WorkRoot other = WorkRoot.open(options())) {
                assertThat(other.swept()).isZero();
            }

            assertThat(Path.of(workspace.path().toString())).exists();
        }
    }

    @Test
    void leavesWhatIsNotItsOwnMaking() throws IOException {
        Path foreign = Files.createDirectories(base.resolve("_cmp_server/0b8a6f5e-8d0f-4c43-9f0e-4f3f4c0e7a11/repo"));
        Path elsewhere = Files.createDirectories(base.resolve("elsewhere"));
        Files.createSymbolicLink(base.resolve("_cmp_server/remora-link"), elsewhere);

        WorkRoot.open(options()).close();

        assertThat(foreign).exists();
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void wipesEverythingOnRequestAsArgoCdDoes() throws IOException {
        Path old = Files.createDirectories(base.resolve("_cmp_server/old/repo"));

        try (WorkRoot root = WorkRoot.open(options().wiping(true));
                Workspace workspace = root.open()) {
            assertThat(old).doesNotExist();
            assertThat(Path.of(workspace.path().toString(), "../..").normalize())
                    .isEqualTo(base.resolve("_cmp_server"));
        }
        assertThat(base.resolve("_cmp_server")).isEmptyDirectory();
    }

    @Test
    void worksInTheRealFolderBehindALink() throws IOException {
        Path real = Files.createDirectories(base.resolve("real"));
        Path link = Files.createSymbolicLink(base.resolve("link"), real);

        try (WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(link.toString()), failures::add))) {
            assertThat(root.path().toString()).startsWith(real.toRealPath() + "/_cmp_server/");
        }
    }

    @Test
    void makesABaseThatIsNotThere() {
        Path missing = base.resolve("not/there");

        try (WorkRoot root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(missing.toString()), failures::add))) {
            assertThat(Path.of(root.path().toString())).isDirectory();
        }
    }

    @Test
    void takesAwayOthersRightToWriteToTheBase() throws IOException {
        Path shared = Files.createDirectories(base.resolve("_cmp_server"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

        WorkRoot.open(options()).close();

        assertThat(mode(shared)).isEqualTo("rwx------");
    }

    @Test
    void refusesABaseThatIsALink() throws IOException {
        Files.createSymbolicLink(base.resolve("_cmp_server"), Files.createDirectories(base.resolve("elsewhere")));

        assertThatThrownBy(() -> WorkRoot.open(options()))
                .isInstanceOf(Fault.class)
                .hasMessageStartingWith("error creating workdir " + base + "/_cmp_server: ");
    }

    @Test
    @NeedsRoot
    void refusesABaseOfAnotherUser() throws Exception {
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createDirectories(base.resolve("_cmp_server"));

        ChildJvm.Result result = new ChildJvm().unprivileged().run(DyingServer.class, base.toString());

        assertThat(result.output())
                .contains("belongs to user 0, not to us (user 65534); set ARGOCD_CMP_WORKDIR to a folder of our own");
    }

    @Test
    void saysWhatCannotBeMade() throws IOException {
        Path file = Files.writeString(base.resolve("file"), "1");

        assertThatThrownBy(() -> WorkRoot.open(WorkRootOptions.at(Bytes.utf8(file.toString()), failures::add)))
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.code()).isEqualTo(FaultCode.WORKSPACE))
                .hasMessageContaining("error creating workdir")
                .hasMessageContaining("not a directory");
    }

    @Test
    void removesOnTheCallersThreadWhenTooMuchWaits() throws IOException {
        try (WorkRoot root = WorkRoot.open(options())) {
            List<Workspace> lent = Stream.generate(root::open).limit(200).toList();
            lent.forEach(Workspace::close);
            try (Stream<Path> left = Files.list(Path.of(root.path().toString()))) {
                // 16 may wait, one may be at work, and the lock lies there too.
                assertThat(left.count()).isLessThanOrEqualTo(18);
            }
        }
    }
}
