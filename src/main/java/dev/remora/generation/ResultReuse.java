package dev.remora.generation;

import dev.remora.cache.Fingerprint;
import dev.remora.cache.Remembered;
import dev.remora.cache.ResultCache;
import dev.remora.cache.ReuseReport;
import dev.remora.plugin.PluginDefinition;
import dev.remora.process.CommandEnvironment;
import dev.remora.process.ToolIdentity;
import java.util.function.LongSupplier;

/// The answers of one server's earlier calls, for definitions with `remora.cache.results`. See
/// `docs/concepts/caching.md`.
///
/// Three memories, all bounded: answers by everything that they depend on; the digest of the inputs that an archive
/// holds, so that a known archive need not be unpacked to find its answer; and what each Application's last answer was
/// made of, so that a miss can be explained.
public final class ResultReuse {
    /// Archives, each seen by any number of Applications.
    private static final int MOST_INPUTS = 4_096;
    /// Applications whose last call is remembered, for the words of a miss only.
    private static final int MOST_APPLICATIONS = 1_024;

    private final ResultCache<GeneratedManifests> results;
    private final Remembered<String> inputs = new Remembered<>(MOST_INPUTS);
    private final Remembered<ReuseKey.Made> last = new Remembered<>(MOST_APPLICATIONS);
    private final CommandEnvironment own;
    private final ToolIdentity tools;
    private final boolean on;

    /// @param mostBytes what answers may take together; 0: none is kept
    /// @param own this process's environment
    public ResultReuse(long mostBytes, CommandEnvironment own, ToolIdentity tools, LongSupplier nanoTime) {
        this.results = new ResultCache<>(mostBytes, ResultReuse::bytes, nanoTime);
        this.own = own;
        this.tools = tools;
        this.on = mostBytes > 0;
    }

    private static long bytes(GeneratedManifests answer) {
        return answer.documents().stream()
                .mapToLong(document -> document.json().length + OBJECT)
                .sum();
    }

    /// A document beside its text.
    private static final long OBJECT = 64;

    /// Prepares the question of one call.
    public ReuseOfCall of(ReuseQuestion question) {
        PluginDefinition plugin = question.plugin();
        if (!plugin.settings().cache().results()) {
            return new ReuseOfCall(this, question, ReuseReport.OFF);
        }
        if (!on) {
            return new ReuseOfCall(this, question, ReuseReport.skipped("off", "the server's --cache-size-mb is 0"));
        }
        return NoCache.asked(question.environment())
                .map(name -> new ReuseOfCall(this, question, ReuseReport.skipped("asked", name + " is set")))
                .orElseGet(() -> new ReuseOfCall(this, question, ReuseKey.of(question, own, tools)));
    }

    ResultCache<GeneratedManifests> results() {
        return results;
    }

    Remembered<String> inputs() {
        return inputs;
    }

    Remembered<ReuseKey.Made> last() {
        return last;
    }

    /// The inputs of an archive: what the definition and the path let through of it.
    static String inputsKey(ReuseQuestion question) {
        return new Fingerprint()
                .add(question.checksum())
                .add(question.plugin().digest())
                .add(question.path())
                .hex();
    }

    /// What the kept answers take, about, in bytes.
    public long keptBytes() {
        return results.bytes();
    }

    /// How many are kept.
    public int kept() {
        return results.size();
    }
}
