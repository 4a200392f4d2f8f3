package dev.remora.git;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a repository calls its commits: every ref's full name with its commit, annotated tags peeled.
///
/// @param head the branch that `HEAD` stands for, where the server says it
public record RemoteRefs(Map<String, CommitId> byName, Optional<String> head) {
    private static final String PEELED = "^{}";
    private static final String SYMBOLIC = "ref: ";
    private static final String TAGS = "refs/tags/";
    private static final List<String> PREFIXES = List.of("refs/heads/", TAGS, "refs/remotes/", "refs/");

    public RemoteRefs {
        byName = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /// Reads what `git ls-remote --symref` prints.
    static RemoteRefs parse(byte[] listing) {
        Map<String, CommitId> refs = new LinkedHashMap<>();
        Optional<String> head = Optional.empty();
        for (String line : new String(listing, StandardCharsets.UTF_8).split("\n", -1)) {
            int tab = line.indexOf('\t');
            if (tab < 0) {
                continue;
            }
            String left = line.substring(0, tab);
            String name = line.substring(tab + 1);
            if (left.startsWith(SYMBOLIC)) {
                head = name.equals("HEAD") ? Optional.of(left.substring(SYMBOLIC.length())) : head;
            } else if (CommitId.isFull(left)) {
                boolean peeled = name.endsWith(PEELED);
                refs.put(peeled ? name.substring(0, name.length() - PEELED.length()) : name, CommitId.of(left));
            }
        }
        return new RemoteRefs(refs, head);
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /// The commit of a ref that is there.
    CommitId commit(String ref) {
        return java.util.Objects.requireNonNull(byName.get(ref));
    }

    /// Names of tags, without `refs/tags/`.
    List<String> tags() {
        return byName.keySet().stream()
                .filter(name -> name.startsWith(TAGS))
                .map(name -> name.substring(TAGS.length()))
                .toList();
    }

    /// The refs that go by this name: in full, or without the prefix that says what they are.
    List<String> named(String name) {
        List<String> found = new ArrayList<>();
        for (String ref : byName.keySet()) {
            if (ref.equals(name) || shortName(ref).equals(name)) {
                found.add(ref);
            }
        }
        return found;
    }

    /// `main` for `refs/heads/main`, `pull/1/head` for `refs/pull/1/head`.
    static String shortName(String ref) {
        for (String prefix : PREFIXES) {
            if (ref.startsWith(prefix)) {
                return ref.substring(prefix.length());
            }
        }
        return ref;
    }

    /// `branch main`, `tag v1`, or the full name.
    static String described(String ref) {
        if (ref.startsWith("refs/heads/")) {
            return "branch " + shortName(ref);
        }
        return ref.startsWith(TAGS) ? "tag " + shortName(ref) : ref;
    }
}
