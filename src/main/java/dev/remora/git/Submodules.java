package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Other repositories that a tree holds at a commit each: fetched by our own means, with a login looked up for each
/// URL, and laid out in their places. A submodule on the same server as its parent falls back to the parent's login;
/// no login goes to another server.
final class Submodules {
    /// Submodules within submodules; a repository may hold itself.
    private static final int DEEPEST = 8;

    private final GitWork work;
    private final GitRepositories all;
    private final RevisionTree tree;
    private final int depth;

    Submodules(GitWork work, GitRepositories all, RevisionTree tree, int depth) {
        this.work = work;
        this.all = all;
        this.tree = tree;
        this.depth = depth;
    }

    void layOut(Bytes folder, Path state, List<TreeEntry> entries, List<String> warnings, Cancellation cancellation) {
        List<TreeEntry> found = entries.stream()
                .filter(entry -> entry.type() == TreeEntry.Type.SUBMODULE)
                .toList();
        if (found.isEmpty()) {
            return;
        }
        if (!work.options().submodules()) {
            warnings.add(found.size() + " submodules are left empty: "
                    + TreeCheckout.some(found.stream().map(TreeEntry::path).toList()));
            return;
        }
        if (depth >= DEEPEST) {
            throw new Fault(
                    FaultCode.GIT_TREE,
                    tree.owner().url() + " holds submodules within submodules, deeper than " + DEEPEST);
        }
        Map<String, String> urls = urls(folder, cancellation);
        for (TreeEntry entry : found) {
            String path = entry.path().toString();
            String url = urls.get(path);
            if (url == null) {
                throw new Fault(
                        FaultCode.GIT_TREE,
                        "no url found for submodule path '" + path + "' in .gitmodules of "
                                + tree.owner().url());
            }
            layOut(folder, state, entry, resolved(url), warnings, cancellation);
        }
    }

    private void layOut(
            Bytes folder, Path state, TreeEntry entry, String url, List<String> warnings, Cancellation cancellation) {
        RepositoryUrl place = RepositoryUrl.of(url);
        GitRepository repository = all.submodule(place, tree.owner());
        String commit = entry.object();
        Bytes inner = Bytes.utf8(state.resolve("sub-" + entry.path().toString().replace("/", "%2f"))
                .toString());
        try {
            RevisionTree files = repository.tree(
                    new Resolution(
                            commit,
                            commit,
                            Optional.of(new CommitId(commit)),
                            Resolution.Rule.COMMIT,
                            Optional.empty()),
                    cancellation);
            LaidOut laid = files.layOut(folder.slash(entry.path()), inner, depth + 1, cancellation);
            warnings.addAll(laid.warnings().stream()
                    .map(warning -> "submodule " + entry.path() + ": " + warning)
                    .toList());
        } catch (Fault fault) {
            throw fault.in("submodule " + entry.path() + ": ");
        }
    }

    /// URLs by path, from `.gitmodules`, which is content of the repository and not trusted: it is read as a list,
    /// and what it says becomes a [RepositoryUrl].
    private Map<String, String> urls(Bytes folder, Cancellation cancellation) {
        Path file = Path.of(folder.toString(), ".gitmodules");
        Map<String, String> paths = new HashMap<>();
        Map<String, String> urls = new HashMap<>();
        if (Files.isRegularFile(file, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            byte[] listing = work.local(
                    "read .gitmodules",
                    List.of("config", "--file", file.toString(), "--no-includes", "--list", "-z"),
                    cancellation);
            for (String setting : new String(listing, StandardCharsets.UTF_8).split("\0", -1)) {
                int line = setting.indexOf('\n');
                if (line > 0 && setting.startsWith("submodule.")) {
                    int dot = setting.lastIndexOf('.', line);
                    String name = setting.substring(0, dot);
                    String value = setting.substring(line + 1);
                    switch (setting.substring(dot + 1, line)) {
                        case "path" -> paths.put(name, value);
                        case "url" -> urls.put(name, value);
                        default -> {}
                    }
                }
            }
        }
        Map<String, String> byPath = new HashMap<>();
        paths.forEach((name, path) -> Optional.ofNullable(urls.get(name)).ifPresent(url -> byPath.put(path, url)));
        return byPath;
    }

    /// `./x` and `../x` start at the parent's own URL.
    private String resolved(String url) {
        if (!url.startsWith("./") && !url.startsWith("../")) {
            return url;
        }
        String base = tree.owner().url().address().replaceFirst("/+$", "");
        String rest = url;
        while (rest.startsWith("./") || rest.startsWith("../")) {
            if (rest.startsWith("../")) {
                int cut = Math.max(base.lastIndexOf('/'), base.contains("://") ? -1 : base.lastIndexOf(':'));
                if (cut <= base.indexOf("://") + 2) {
                    throw new Fault(FaultCode.GIT_TREE, "the submodule url " + url + " leaves the server");
                }
                base = base.charAt(cut) == ':' ? base.substring(0, cut + 1) : base.substring(0, cut);
                rest = rest.substring("../".length());
            } else {
                rest = rest.substring("./".length());
            }
        }
        return base.endsWith(":") ? base + rest : base + "/" + rest;
    }
}
