package dev.remora.render;

import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.workspace.RootedPath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Which part of a repository a plugin gets when it generates. Discovery and announcements always get the whole, as
/// with Argo CD (docs/spec/archive.md, section 5).
public sealed interface SendScope {
    /// All of it.
    record Whole() implements SendScope {}

    /// As the repo-server with `--plugin-use-manifest-generate-paths`: the deepest folder that holds the application
    /// and all that the annotation names, with all below it.
    ///
    /// @param paths the value of `argocd.argoproj.io/manifest-generate-paths`
    record Annotation(String paths) implements SendScope {}

    /// Only what the annotation names, at its place in the whole.
    ///
    /// @param paths as [Annotation#paths]
    record Listed(String paths) implements SendScope {}

    /// A folder and the application's place in it.
    record Narrowed(SourceFolder folder, Bytes application) {}

    /// What is sent of `folder`.
    ///
    /// @param application the application's path below the folder; one that leaves it narrows nothing, and is
    ///     refused where it is opened
    default Narrowed narrow(SourceFolder folder, Bytes application) {
        List<Bytes> parts = LexicalPath.parts(LexicalPath.clean(application));
        if (parts.stream().anyMatch(LexicalPath::isUp)) {
            return new Narrowed(folder, application);
        }
        return switch (this) {
            case Whole _ -> new Narrowed(folder, application);
            case Listed(String paths) ->
                new Narrowed(folder.listing(ListedPaths.of(paths, parts, folder.root())), application);
            case Annotation(String paths) -> {
                List<Bytes> common = common(paths, parts, folder.root());
                List<Bytes> below = parts.subList(common.size(), parts.size());
                yield new Narrowed(
                        folder.at(LexicalPath.join(folder.root(), common)),
                        below.isEmpty() ? ListedPaths.HERE : LexicalPath.join(Bytes.EMPTY, below));
            }
        };
    }

    /// In the order of the annotation, which matters: once two places have parted, a place above both no longer
    /// counts.
    private static List<Bytes> common(String paths, List<Bytes> application, Bytes root) {
        List<Bytes> items = Stream.of(paths.split(";", -1))
                .filter(item -> !item.isEmpty())
                .map(Bytes::utf8)
                .toList();
        if (items.isEmpty()) {
            return List.of();
        }
        List<Bytes> common = new ArrayList<>(application);
        boolean parted = false;
        for (Bytes item : items) {
            Bytes place = LexicalPath.isAbsolute(item)
                    ? item
                    : LexicalPath.join(Bytes.EMPTY, application).slash(item);
            List<Bytes> parts = below(root, LexicalPath.clean(place));
            int same = 0;
            int shorter = Math.min(common.size(), parts.size());
            while (same < shorter && common.get(same).equals(parts.get(same))) {
                same++;
            }
            parted |= same < shorter;
            if (same < shorter || !parted) {
                common.subList(same, common.size()).clear();
            }
        }
        return common;
    }

    /// The parts of the real place below the root: links are followed, `..` stops at the root.
    private static List<Bytes> below(Bytes root, Bytes place) {
        Bytes real = RootedPath.resolved(root, place).path();
        return LexicalPath.parts(real)
                .subList(LexicalPath.parts(root).size(), LexicalPath.parts(real).size());
    }
}
