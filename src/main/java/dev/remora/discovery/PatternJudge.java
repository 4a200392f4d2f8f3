package dev.remora.discovery;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.glob.CleanPath;
import dev.remora.glob.FilePathGlob;
import dev.remora.glob.GlobResult;
import dev.remora.glob.GlobTree;
import dev.remora.glob.ZGlob;
import dev.remora.plugin.Departure;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule;
import dev.remora.posix.Bytes;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Judges the two kinds of patterns on a tree, be it a folder or the names of an archive.
record PatternJudge(Departures departures, UnaryOperator<String> environment) {
    Verdict judge(DiscoverRule.FileName rule, Bytes application, GlobTree tree) {
        Bytes pattern = CleanPath.join(application, Bytes.utf8(rule.pattern()));
        GlobResult result = FilePathGlob.glob(pattern, tree);
        return verdict(result, rule, rule.pattern(), "error finding filename match for pattern \"" + pattern + "\": ");
    }

    Verdict judge(DiscoverRule.FindGlob rule, Bytes application, GlobTree tree) {
        Bytes pattern = CleanPath.join(application, Bytes.utf8(rule.pattern()));
        GlobResult result = new ZGlob(pattern, environment).in(tree);
        return verdict(result, rule, rule.pattern(), "error finding glob match for pattern \"" + pattern + "\": ");
    }

    private Verdict verdict(GlobResult result, DiscoverRule rule, String pattern, String context) {
        String asked = rule.key() + " \"" + pattern + "\"";
        return switch (result) {
            case GlobResult.Matched(Bytes first) -> new Verdict.Yes(asked + " matches " + shown(first));
            case GlobResult.Unmatched() -> new Verdict.No("nothing matches " + asked, Optional.empty());
            case GlobResult.Failed(String reason) -> throw failed(context + reason);
            case GlobResult.Absent(String reason) -> {
                if (departures.asArgoCd(Departure.LITERAL_GLOB)) {
                    throw failed(context + reason);
                }
                yield new Verdict.No("nothing matches " + asked + " (" + reason + ")", Optional.empty());
            }
        };
    }

    private static Fault failed(String message) {
        return new Fault(FaultCode.DISCOVERY_FAILED, message);
    }

    /// A path as people know it: from the repository's root on.
    static String shown(Bytes path) {
        Bytes below = Place.ROOT.plus(CleanPath.ROOT);
        return path.startsWith(below)
                ? path.slice(below.length(), path.length()).toString()
                : ".";
    }
}
