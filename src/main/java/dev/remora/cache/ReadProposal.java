package dev.remora.cache;

import dev.remora.glob.DoubleStarPattern;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// What was read, as values to copy: patterns for `remora.inputs`, and paths for the Application's annotation
/// `argocd.argoproj.io/manifest-generate-paths`.
///
/// The application's folder is taken as a whole. Elsewhere a folder of which everything was read (or that was listed
/// with all its folders) is one pattern with `/**`; one that was listed is `/*`, since a new file in it would have been
/// seen; otherwise each file stands for itself.
///
/// @param inputs patterns, those of the application first
/// @param paths the annotation's value
public record ReadProposal(List<String> inputs, String paths) {
    /// Files of one folder that are named one by one; more become the folder's `*`.
    private static final int MOST_SINGLE = 8;

    public ReadProposal {
        inputs = List.copyOf(inputs);
    }

    /// The proposal for one application.
    ///
    /// @param application its path below the root
    public static ReadProposal of(Reads reads, Bytes application) {
        Bytes folder = LexicalPath.join(Bytes.EMPTY, LexicalPath.parts(LexicalPath.clean(application)));
        Collector collector = new Collector(reads, folder);
        if (!folder.isEmpty()) {
            collector.inputs.add("{app}/**");
            collector.paths.add(".");
        }
        collector.visit(Bytes.EMPTY);
        return new ReadProposal(collector.inputs, String.join(";", collector.paths));
    }

    private static final class Collector {
        private final Reads reads;
        private final Bytes application;
        private final List<String> inputs = new ArrayList<>();
        private final List<String> paths = new ArrayList<>();

        Collector(Reads reads, Bytes application) {
            this.reads = reads;
            this.application = application;
        }

        private void visit(Bytes folder) {
            if (!folder.isEmpty() && folder.equals(application)) {
                return;
            }
            if (whole(folder)) {
                add(folder, "/**");
                return;
            }
            SortedSet<Bytes> read = new TreeSet<>(children(reads.files(), folder));
            read.addAll(children(reads.links(), folder));
            boolean listed = reads.folders().contains(folder);
            boolean unnameable = read.stream().anyMatch(path -> !path.isUtf8());
            if (folder.isEmpty() && listed) {
                inputs.add("/*");
                read.forEach(path -> paths.add("/" + path));
            } else if (listed || read.size() > MOST_SINGLE || unnameable) {
                add(folder, "/*");
            } else {
                read.forEach(this::add);
            }
            children(reads.allFolders(), folder).forEach(this::visit);
        }

        /// Whether all below was read: every file, or every folder was listed. The application's own folder does not
        /// count, as it is taken anyway.
        private boolean whole(Bytes folder) {
            List<Bytes> files = below(reads.all(), folder);
            boolean everyFile = files.size() > 1
                    && reads.files().containsAll(files)
                    && !(folder.isEmpty() && !application.isEmpty());
            boolean everyFolder = reads.folders().contains(folder)
                    && !files.isEmpty()
                    && reads.folders().containsAll(below(reads.allFolders(), folder));
            return everyFile || everyFolder;
        }

        private void add(Bytes path) {
            inputs.add("/" + quoted(path));
            paths.add("/" + path);
        }

        private void add(Bytes folder, String below) {
            inputs.add((folder.isEmpty() ? "" : "/" + quoted(folder)) + below);
            paths.add("/" + folder);
        }

        private static String quoted(Bytes path) {
            return DoubleStarPattern.quoted(path.toString());
        }

        private static List<Bytes> below(SortedSet<Bytes> paths, Bytes folder) {
            if (folder.isEmpty()) {
                return List.copyOf(paths);
            }
            Bytes start = folder.slash(Bytes.EMPTY);
            return paths.tailSet(start).stream()
                    .takeWhile(path -> path.startsWith(start))
                    .toList();
        }

        private static List<Bytes> children(SortedSet<Bytes> paths, Bytes folder) {
            int from = folder.isEmpty() ? 0 : folder.length() + 1;
            return below(paths, folder).stream()
                    .filter(path -> path.indexOf((byte) '/', from) < 0)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }
}
