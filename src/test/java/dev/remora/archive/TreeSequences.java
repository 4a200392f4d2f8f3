package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.workspace.Lending;
import dev.remora.workspace.RecycleOptions;
import dev.remora.workspace.TreeKey;
import dev.remora.workspace.TreeOwner;
import dev.remora.workspace.TreeRemark;
import dev.remora.workspace.WorkRoot;
import dev.remora.workspace.WorkRootOptions;
import dev.remora.workspace.Workspace;
import dev.remora.workspace.WorkspacePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/// The property of recycled trees: after any sequence of archives and misbehaving commands, the tree that is lent
/// equals
/// a fresh unpack, byte by byte and mode by mode; and an archive that a fresh folder refuses is refused with the same
/// words. Needs nothing but the JDK, so that other users can run it.
final class TreeSequences implements AutoCloseable {
    private static final int ROUNDS = 4;
    private static final int CHUNK = 40_000;

    private final WorkRoot root;
    private final WorkspacePool pool;
    private final Path outside;
    private final Map<Lending.Kind, Integer> kinds = new EnumMap<>(Lending.Kind.class);
    private final List<String> story = new ArrayList<>();

    TreeSequences(Path base) throws IOException {
        root = WorkRoot.open(WorkRootOptions.at(Bytes.utf8(base.toString()), fault -> {
            throw new AssertionError(fault);
        }));
        pool = WorkspacePool.open(root, new RecycleOptions(8, 1 << 28, 10_000, Duration.ofMinutes(10)), notice -> {
            throw new AssertionError(notice);
        });
        outside = Files.createDirectory(base.resolve("outside"));
    }

    /// How often which kind of tree was lent.
    Map<Lending.Kind, Integer> kinds() {
        return kinds;
    }

    /// Runs one sequence.
    ///
    /// @throws AssertionError with the whole story where the property does not hold
    void run(long seed) {
        story.clear();
        Random random = new Random(seed);
        boolean oddities = random.nextInt(8) == 0;
        SequenceArchives archives = new SequenceArchives(random, oddities);
        UnpackOptions options = UnpackOptions.DEFAULT.preservingFileMode(random.nextInt(3) == 0);
        TreeKey key = new TreeKey(
                TreeOwner.of(Bytes.utf8("https://example.com/repo"), Bytes.utf8("project-" + seed)),
                Boolean.toString(options.preserveFileMode()));
        for (int round = 0; round < ROUNDS; round++) {
            byte[] archive = archives.next();
            try {
                round(random, key, options, archive);
            } catch (IOException e) {
                throw new AssertionError("seed " + seed + ": " + story, e);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + round + ": " + story, e);
            }
        }
    }

    private void round(Random random, TreeKey key, UnpackOptions options, byte[] archive)
            throws ErrnoException, IOException {
        String checksum = sha256(archive);
        Workspace workspace = pool.lend(key, checksum);
        Path tree = Path.of(workspace.path().toString());
        try (Misbehaviour command = new Misbehaviour(random, tree, outside)) {
            try (workspace) {
                String fault = filled(workspace, options, archive, checksum);
                Lending.Kind kind = workspace.lending().kind();
                kinds.merge(kind, 1, Integer::sum);
                story.add("[" + kind + (fault.isEmpty() ? "" : " " + fault) + "]");
                compare(fresh(options, archive), new Seen(fault, fault.isEmpty() ? snapshot(workspace) : Map.of()));
                for (int acts = random.nextInt(4); acts > 0; acts--) {
                    story.add(command.some());
                }
            }
            if (random.nextBoolean()) {
                command.writeLate();
                story.add("written late");
            }
        }
    }

    /// What came of an archive: a fault's words, or the tree.
    private record Seen(String fault, Map<String, String> tree) {}

    private static void compare(Seen wanted, Seen got) {
        if (!wanted.equals(got)) {
            throw new AssertionError("wanted " + difference(wanted, got) + "\nbut got " + difference(got, wanted));
        }
    }

    private static String difference(Seen one, Seen other) {
        Map<String, String> only = new TreeMap<>(one.tree());
        other.tree()
                .forEach((place, what) ->
                        only.computeIfPresent(place, (name, mine) -> Objects.equals(mine, what) ? null : mine));
        return one.fault() + " "
                + only.toString().substring(0, Math.min(2000, only.toString().length()));
    }

    private Seen fresh(UnpackOptions options, byte[] archive) throws ErrnoException {
        try (Workspace workspace = root.open()) {
            String fault = unpacked(workspace, options, archive);
            return new Seen(fault, fault.isEmpty() ? snapshot(workspace) : Map.of());
        }
    }

    private static Map<String, String> snapshot(Workspace workspace) throws ErrnoException {
        try (Directory tree = Directory.open(workspace.path())) {
            return TreeSnapshot.of(tree);
        }
    }

    private static String filled(Workspace workspace, UnpackOptions options, byte[] archive, String checksum) {
        if (workspace.holds(checksum)) {
            workspace.settle(checksum, TreeRemark.NONE);
            return "";
        }
        String fault = unpacked(workspace, options, archive);
        if (fault.isEmpty()) {
            workspace.settle(checksum, TreeRemark.NONE);
        }
        return fault;
    }

    private static String unpacked(Workspace workspace, UnpackOptions options, byte[] archive) {
        try (TarGzUnpacker unpacker = new TarGzUnpacker(new WorkspaceSink(workspace, options), options)) {
            for (int at = 0; at < archive.length; at += CHUNK) {
                unpacker.accept(ByteBuffer.wrap(archive, at, Math.min(CHUNK, archive.length - at)));
            }
            unpacker.finish();
            return "";
        } catch (Fault fault) {
            return Fault.words(fault).replace(workspace.path().toString(), "<tree>");
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        pool.close();
        root.close();
    }

    /// Runs sequences on their own.
    ///
    /// @param args the base, the first seed, how many
    public static void main(String[] args) throws IOException {
        long first = Long.parseLong(args[1]);
        int count = Integer.parseInt(args[2]);
        try (TreeSequences sequences = new TreeSequences(Path.of(args[0]))) {
            for (int i = 0; i < count; i++) {
                sequences.run(first + i);
            }
            System.out.println(count + " held " + sequences.kinds());
        }
    }
}
