package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Proposal;
import dev.remora.manifest.RenderedObject;
import dev.remora.manifest.RenderedObject.ObjectName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// `--show-only KIND[.GROUP][/NAME]`, several: the objects that people want to see. Kinds and groups match without
/// regard
/// to case, names exactly.
final class ShowOnly {
    /// Names that a message lists.
    private static final int MOST_LISTED = 20;

    private final List<Wanted> wanted;
    private final Set<Wanted> found = new LinkedHashSet<>();
    private final Set<String> seen = new LinkedHashSet<>();

    /// One value of the flag, in the words of the user.
    private record Wanted(String written, String kind, Optional<String> group, Optional<String> name) {
        static Wanted of(String written) {
            int slash = written.indexOf('/');
            String type = slash < 0 ? written : written.substring(0, slash);
            int dot = type.indexOf('.');
            String kind = dot < 0 ? type : type.substring(0, dot);
            if (kind.isEmpty() || slash == written.length() - 1) {
                throw new Fault(
                        FaultCode.USAGE, "--show-only: \"" + written + "\" is not of the form KIND[.GROUP][/NAME]");
            }
            return new Wanted(
                    written,
                    kind,
                    dot < 0 ? Optional.empty() : Optional.of(type.substring(dot + 1)),
                    slash < 0 ? Optional.empty() : Optional.of(written.substring(slash + 1)));
        }

        boolean is(ObjectName object) {
            return kind.equalsIgnoreCase(object.kind())
                    && group.map(object.group()::equalsIgnoreCase).orElse(true)
                    && name.map(object.name()::equals).orElse(true);
        }
    }

    /// @throws Fault USAGE for a value without a kind
    ShowOnly(List<String> written) {
        this.wanted = written.stream().map(Wanted::of).toList();
    }

    /// The objects that were asked for; all, where nothing was.
    synchronized List<RenderedObject> of(List<RenderedObject> objects) {
        if (wanted.isEmpty()) {
            return objects;
        }
        return objects.stream().filter(this::isWanted).toList();
    }

    private String proposal(String written) {
        return seen.size() <= MOST_LISTED
                ? Proposal.questionAndAll(written, "objects", seen)
                : Proposal.question(written, seen) + "; -o name lists the " + seen.size() + " objects";
    }

    private boolean isWanted(RenderedObject object) {
        seen.add(object.name().toString());
        List<Wanted> matching =
                wanted.stream().filter(each -> each.is(object.name())).toList();
        found.addAll(matching);
        return !matching.isEmpty();
    }

    /// @throws Fault USAGE when none of the objects so far is what a value wants
    synchronized void refuseUnfound() {
        for (Wanted each : wanted) {
            if (!found.contains(each)) {
                throw new Fault(
                        FaultCode.USAGE, "--show-only: no object is " + each.written() + proposal(each.written()));
            }
        }
    }
}
