package dev.remora.generation;

import dev.remora.manifest.OutputRules;
import dev.remora.manifest.SplitOptions;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.plugin.RemoraSettings;

/// How output is split and judged: the definition's rules, less what is switched back to Argo CD's way.
record OutputSettings(SplitOptions split, OutputRules rules) {
    /// @param resultBytes the most that the answer may take
    static OutputSettings of(RemoraSettings.Output output, Departures departures, long resultBytes) {
        boolean lost = departures.asArgoCd(Departure.LOST_DOCUMENTS);
        boolean any = departures.asArgoCd(Departure.ANY_DOCUMENT);
        return new OutputSettings(
                new SplitOptions(lost, departures.asArgoCd(Departure.NOT_UTF8), resultBytes),
                new OutputRules(
                        output.allowEmpty() || departures.asArgoCd(Departure.EMPTY_OUTPUT),
                        output.forbid(),
                        output.allowCipherText() || any,
                        !any));
    }
}
