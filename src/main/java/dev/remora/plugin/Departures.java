package dev.remora.plugin;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Which rows of [Departure] are switched back to Argo CD's way.
public record Departures(Set<Departure> switchedBack) {
    /// Remora's own way everywhere.
    public static final Departures NONE_SWITCHED_BACK = new Departures(Set.of());

    /// Argo CD's way everywhere.
    public static final Departures ARGOCD = new Departures(EnumSet.allOf(Departure.class));

    private static final String ALL = "all";

    public Departures {
        switchedBack = Set.copyOf(switchedBack);
    }

    /// Reads the value of `--argocd`: row names joined by commas, or `all`. Every unknown name is reported.
    public static Departures parse(String value) {
        var rows = EnumSet.noneOf(Departure.class);
        List<Problem> unknown = new ArrayList<>();
        for (String item : value.split(",", -1)) {
            String name = item.strip();
            if (name.equals(ALL)) {
                rows.addAll(ARGOCD.switchedBack);
            } else {
                Departure.named(name).ifPresentOrElse(rows::add, () -> unknown.add(unknownRow(name)));
            }
        }
        if (!unknown.isEmpty()) {
            throw new Fault(FaultCode.USAGE, unknown);
        }
        return new Departures(rows);
    }

    /// Whether Remora goes its own way here.
    public boolean departs(Departure row) {
        return !switchedBack.contains(row);
    }

    /// Whether Argo CD's way was asked for here.
    public boolean asArgoCd(Departure row) {
        return switchedBack.contains(row);
    }

    private static Problem unknownRow(String name) {
        List<String> names = new ArrayList<>(
                Arrays.stream(Departure.values()).map(Departure::row).toList());
        names.add(ALL);
        return Problem.of("--argocd: unknown row \"" + name + "\"" + Proposal.questionAndAll(name, "rows", names));
    }
}
