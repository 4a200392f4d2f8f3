package dev.remora.sidecar;

import dev.remora.cache.ReadProposal;
import dev.remora.cache.Reads;
import dev.remora.posix.Bytes;
import dev.remora.telemetry.Log;
import dev.remora.telemetry.LogField;
import dev.remora.telemetry.LogKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// `remora.cache.trace`: one log line for each render that tells which files it opened, and what to make of that.
record ReadsLog(Log log) {
    /// A line is read by people; `explain --reads` tells all.
    private static final int MOST_NAMES = 100;

    void tell(CallSession call, Reads reads) {
        ReadProposal proposal = ReadProposal.of(reads, call.relativePath());
        String inputs =
                proposal.inputs().stream().map(pattern -> "\"" + pattern + "\"").collect(Collectors.joining(", "));
        List<LogField> fields = new ArrayList<>();
        fields.add(LogKey.PLUGIN.is(call.plugin().registeredName()));
        fields.add(LogKey.APPLICATION.is(call.application()));
        call.project().ifPresent(project -> fields.add(LogKey.PROJECT.is(project)));
        fields.add(LogKey.READ.is(names(reads)));
        fields.add(LogKey.INPUTS.is("[" + inputs + "]"));
        fields.add(LogKey.GENERATE_PATHS.is(proposal.paths()));
        if (!reads.gaps().isEmpty()) {
            fields.add(LogKey.REASON.is(String.join("; ", reads.gaps())));
        }
        log.info(
                "opened " + reads.files().size() + " of " + reads.all().size() + " files"
                        + (reads.gaps().isEmpty() ? "" : ", and perhaps more"),
                fields.toArray(LogField[]::new));
    }

    private static String names(Reads reads) {
        String some =
                reads.files().stream().limit(MOST_NAMES).map(Bytes::toString).collect(Collectors.joining(" "));
        int more = reads.files().size() - MOST_NAMES;
        return more > 0 ? some + " and " + more + " more" : some;
    }
}
