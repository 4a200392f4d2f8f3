package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Resolves a revision in Argo CD's order (docs/spec/git.md, "Revisions"). Where Argo CD would pick one of two
/// commits at random, both are named and neither is taken.
final class RevisionResolver {
    private static final Pattern FULL = Pattern.compile("[0-9A-Fa-f]{40}");
    private static final Pattern SHORT = Pattern.compile("[0-9A-Fa-f]{7,}");
    private static final String HEAD = "HEAD";
    private static final int MOST_PROPOSALS = 3;

    private final String repository;
    private final Supplier<RemoteRefs> refs;

    /// @param repository for messages
    /// @param refs asked only when the revision is no full commit id
    RevisionResolver(String repository, Supplier<RemoteRefs> refs) {
        this.repository = repository;
        this.refs = refs;
    }

    /// @param tagPrefix only tags with it count, compared without it; empty: all
    Resolution resolve(String revision, String tagPrefix) {
        if (FULL.matcher(revision).matches()) {
            CommitId commit = CommitId.of(revision);
            return new Resolution(revision, revision, Optional.of(commit), Resolution.Rule.COMMIT, Optional.empty());
        }
        RemoteRefs listing = refs.get();
        if (listing.isEmpty()) {
            throw new Fault(FaultCode.GIT_REVISION, "the repository " + repository + " is empty: it has no commit");
        }
        String wanted = revision.isEmpty() ? HEAD : revision;
        Optional<List<String>> ranged = rangeTags(wanted, tagPrefix, listing);
        List<String> names = ranged.orElseGet(() -> List.of(wanted));
        Set<String> found = new LinkedHashSet<>();
        for (String name : names) {
            found.addAll(listing.named(name));
        }
        if (!found.isEmpty()) {
            String ref = onlyOne(revision, found, listing);
            CommitId commit = listing.commit(ref);
            Resolution.Rule rule = ranged.isPresent()
                    ? Resolution.Rule.RANGE
                    : ref.equals(HEAD) ? Resolution.Rule.HEAD : Resolution.Rule.NAME;
            return new Resolution(revision, commit.hex(), Optional.of(commit), rule, Optional.of(ref));
        }
        if (SHORT.matcher(wanted).matches()) {
            return new Resolution(revision, revision, Optional.empty(), Resolution.Rule.SHORT_COMMIT, Optional.empty());
        }
        throw unknown(revision, listing);
    }

    /// The names that a range or a prefixed version stands for; empty where the text counts as it is.
    private Optional<List<String>> rangeTags(String wanted, String tagPrefix, RemoteRefs listing) {
        switch (SemanticVersion.parse(wanted)) {
            case SemanticVersion.Parsed.Version _ -> {
                return tagPrefix.isEmpty() ? Optional.empty() : Optional.of(List.of(tagPrefix + wanted));
            }
            case SemanticVersion.Parsed.Malformed _, SemanticVersion.Parsed.NoVersion _ -> {}
        }
        return VersionRange.parse(wanted).flatMap(range -> highest(range, tagPrefix, listing));
    }

    private Optional<List<String>> highest(VersionRange range, String tagPrefix, RemoteRefs listing) {
        List<SemanticVersion> best = new ArrayList<>();
        for (String tag : listing.tags()) {
            if (!tag.startsWith(tagPrefix)) {
                continue;
            }
            switch (SemanticVersion.parse(tag.substring(tagPrefix.length()))) {
                case SemanticVersion.Parsed.Version(SemanticVersion version) -> keepBest(best, range, version);
                case SemanticVersion.Parsed.NoVersion _ -> {}
                case SemanticVersion.Parsed.Malformed _ -> {
                    return Optional.empty(); // Argo CD gives up the range and takes its text for a plain name.
                }
            }
        }
        return best.isEmpty()
                ? Optional.empty()
                : Optional.of(best.stream()
                        .map(version -> tagPrefix + version.original())
                        .toList());
    }

    private static void keepBest(List<SemanticVersion> best, VersionRange range, SemanticVersion version) {
        if (!range.contains(version)) {
            return;
        }
        int order = best.isEmpty() ? 1 : version.compareTo(best.getFirst());
        if (order > 0) {
            best.clear();
        }
        if (order >= 0) {
            best.add(version);
        }
    }

    private String onlyOne(String revision, Set<String> found, RemoteRefs listing) {
        Set<CommitId> commits = new LinkedHashSet<>();
        found.forEach(ref -> commits.add(listing.commit(ref)));
        if (commits.size() == 1) {
            return found.iterator().next();
        }
        String all = String.join(
                " and ",
                found.stream()
                        .map(ref -> RemoteRefs.described(ref) + " ("
                                + listing.commit(ref).shortText() + ")")
                        .toList());
        throw new Fault(
                FaultCode.GIT_AMBIGUOUS,
                "the revision \"" + revision + "\" of " + repository + " is " + all
                        + "; Argo CD would take either, by chance. Name one in full, such as "
                        + found.iterator().next());
    }

    private Fault unknown(String revision, RemoteRefs listing) {
        Set<String> names = new TreeSet<>();
        listing.byName().keySet().forEach(ref -> names.add(RemoteRefs.shortName(ref)));
        List<String> near = nearest(revision, names);
        String proposal = near.isEmpty()
                ? "; it has " + count(listing, "refs/heads/", "branch", "branches") + " and "
                        + count(listing, "refs/tags/", "tag", "tags")
                        + listing.head()
                                .map(head -> ", HEAD is " + RemoteRefs.described(head))
                                .orElse("")
                : "; the nearest are " + String.join(", ", near);
        return new Fault(
                FaultCode.GIT_REVISION,
                "unable to resolve '" + revision + "' to a commit SHA: revision not found in " + repository
                        + (revision.equals(revision.strip()) ? "" : " (there are blanks around it)")
                        + spoiled(revision, listing) + proposal);
    }

    /// One tag that is no proper version makes Argo CD resolve no range at all.
    private static String spoiled(String revision, RemoteRefs listing) {
        if (VersionRange.parse(revision).isEmpty()) {
            return "";
        }
        return listing.tags().stream()
                .filter(tag -> SemanticVersion.parse(tag) instanceof SemanticVersion.Parsed.Malformed)
                .findFirst()
                .map(tag -> " (the tag " + tag + " has a number with a leading zero or beyond 64 bits, and with it no"
                        + " range is resolved)")
                .orElse("");
    }

    private static List<String> nearest(String revision, Set<String> names) {
        Set<String> left = new TreeSet<>(names);
        List<String> near = new ArrayList<>();
        for (int i = 0; i < MOST_PROPOSALS; i++) {
            Proposal.nearest(revision, left).ifPresent(name -> {
                near.add(name);
                left.remove(name);
            });
        }
        return near;
    }

    private static String count(RemoteRefs listing, String prefix, String one, String many) {
        long number = listing.byName().keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .count();
        return number + " " + (number == 1 ? one : many);
    }
}
