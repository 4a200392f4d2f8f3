package dev.remora.render;

import dev.remora.glob.FilePathGlob;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.workspace.RootedPath;
import java.util.ArrayList;
import java.util.List;

/// The places that `argocd.argoproj.io/manifest-generate-paths` names, read as Argo CD's controller does when it asks
/// whether a change counts: a file, a folder with all below it, or a pattern of Go's `filepath.Match`.
///
/// The application's folder and what leads there is always wanted, but not what lies in it. Where a place is behind a
/// link of the repository, the link is wanted and what it leads to.
///
/// @param items paths below the root; one without parts is the root itself
/// @param application the parts of the application's path
record ListedPaths(List<List<Bytes>> items, List<Bytes> application) {
    static final Bytes HERE = Bytes.utf8(".");

    ListedPaths {
        items = List.copyOf(items);
        application = List.copyOf(application);
    }

    static ListedPaths of(String paths, List<Bytes> application, Bytes root) {
        List<List<Bytes>> items = new ArrayList<>();
        for (String written : paths.split(";", -1)) {
            Bytes item = Bytes.utf8(written.strip());
            if (item.isEmpty()) {
                continue;
            }
            Bytes place = LexicalPath.isAbsolute(item)
                    ? LexicalPath.clean(item)
                    : LexicalPath.clean(
                            LexicalPath.join(Bytes.EMPTY, application).slash(item));
            List<Bytes> parts = LexicalPath.parts(place);
            if (parts.stream().noneMatch(LexicalPath::isUp)) {
                items.add(parts);
                Bytes real = RootedPath.resolved(root, place).path();
                List<Bytes> all = LexicalPath.parts(real);
                items.add(all.subList(LexicalPath.parts(root).size(), all.size()));
            }
        }
        return new ListedPaths(items.stream().distinct().toList(), application);
    }

    /// Whether it names nothing, so that everything counts.
    boolean isEmpty() {
        return items.isEmpty();
    }

    /// Whether the entry is sent for its own sake.
    boolean wants(Bytes path) {
        List<Bytes> parts = LexicalPath.parts(path);
        return items.stream()
                .anyMatch(item -> isBeginning(item, parts)
                        || FilePathGlob.match(
                                LexicalPath.join(Bytes.EMPTY, item).toString(), path.toString()));
    }

    /// Whether something that is wanted may lie below the entry, or behind it if it is a link.
    boolean leadsToWanted(Bytes path) {
        List<Bytes> parts = LexicalPath.parts(path);
        return isBeginning(parts, application)
                || items.stream().anyMatch(item -> parts.size() < item.size() && matchesAll(item, parts));
    }

    private static boolean isBeginning(List<Bytes> beginning, List<Bytes> whole) {
        return beginning.size() <= whole.size()
                && whole.subList(0, beginning.size()).equals(beginning);
    }

    private static boolean matchesAll(List<Bytes> patterns, List<Bytes> parts) {
        for (int i = 0; i < parts.size(); i++) {
            boolean same = patterns.get(i).equals(parts.get(i));
            if (!same
                    && !FilePathGlob.match(
                            patterns.get(i).toString(), parts.get(i).toString())) {
                return false;
            }
        }
        return true;
    }
}
