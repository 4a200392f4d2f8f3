package dev.remora.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoraBlockTest {
    private static final String MINIMAL =
            "kind: ConfigManagementPlugin\nmetadata: {name: cat}\nspec: {generate: {command: [cat]}}\n";

    @Test
    void readsEveryLimit() {
        RemoraSettings.Limits limits = settings("""
                limits:
                  timeout: 1m30s
                  parallel: 2
                  output: 64Mi
                  unpacked: 1.5Gi
                  files: 20k
                  nameLength: 255
                  depth: 12
                  ratio: 50
                  processes: 99
                  memory: 512Mi
                  openFiles: 256
                  fileSize: 1Gi
                  cpu: 30s
                  nice: 5
                """).limits();

        assertThat(limits.timeout()).contains(Duration.ofSeconds(90));
        assertThat(limits.parallel()).hasValue(2);
        assertThat(limits.output()).hasValue(64 << 20);
        assertThat(limits.unpacked()).isEqualTo(3L << 29);
        assertThat(limits.files()).isEqualTo(20_000);
        assertThat(limits.nameLength()).isEqualTo(255);
        assertThat(limits.depth()).isEqualTo(12);
        assertThat(limits.ratio()).isEqualTo(50);
        assertThat(limits.processes()).isEqualTo(99);
        assertThat(limits.memory()).hasValue(512L << 20);
        assertThat(limits.openFiles()).hasValue(256);
        assertThat(limits.fileSize()).hasValue(1L << 30);
        assertThat(limits.cpu()).contains(Duration.ofSeconds(30));
        assertThat(limits.nice()).hasValue(5);
    }

    @Test
    void hasBoundsWhereNoneAreGiven() {
        RemoraSettings.Limits limits = settings("limits: {}").limits();

        assertThat(limits).isEqualTo(RemoraSettings.Limits.DEFAULTS);
        assertThat(limits.unpacked()).isEqualTo(8L << 30);
        assertThat(limits.files()).isEqualTo(1_000_000);
        assertThat(limits.nameLength()).isEqualTo(4096);
        assertThat(limits.depth()).isEqualTo(128);
        assertThat(limits.ratio()).isEqualTo(1000);
        assertThat(limits.processes()).isEqualTo(1024);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout: 60 | is no duration; write a number with its unit, such as 90s",
                "timeout: 60 s | is no duration",
                "timeout: -1s | is too short",
                "timeout: 0s | is too short",
                "cpu: 10ms | is too short; write at least 1000ms",
                "parallel: 0 | is 0; write a number from 1 to 1024",
                "parallel: two | is no whole number",
                "parallel: 1.5 | is no whole number",
                "output: 64MB | is no whole number; write a number such as 500, 64Mi or 1M",
                "output: 2Gi | is 2147483648; write a number from 1 to 2147483647",
                "files: 0 | is 0",
                "unpacked: -1 | is no whole number",
                "unpacked: 99999999999999999999 | is no whole number",
                "nameLength: 5000 | is 5000; write a number from 1 to 4096",
                "nice: 20 | is 20; write a number from 0 to 19",
                "nice: -5 | is no whole number",
                "memory: [1] | is no whole number",
                "timeOut: 60s, timout: 5s | remora.limits.timout is unknown, did you mean timeout?",
            })
    void refusesLimitsOutOfRangeAndSaysWhatToWrite(String limit, String problem) {
        Fault fault = refusal("limits: {" + limit + "}");

        assertThat(fault.code()).isEqualTo(FaultCode.CONFIG_INVALID);
        assertThat(fault).hasMessageContaining("plugin.yaml:5:").hasMessageContaining(problem);
    }

    @Test
    void readsOutputRules() {
        RemoraSettings.Output output = settings(
                        "output: {allowEmpty: true, forbid: ['\\?\\{vault', x], allowCipherText: true}")
                .output();

        assertThat(output.allowEmpty()).isTrue();
        assertThat(output.allowCipherText()).isTrue();
        assertThat(output.forbid()).containsExactly("\\?\\{vault", "x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "forbid: ['('] | remora.output.forbid is no RE2 pattern: error parsing regexp: missing closing )",
                "forbid: ['(?=x)'] | remora.output.forbid is no RE2 pattern",
                "forbid: [''] | has an empty pattern",
                "forbid: [null] | has an empty pattern",
                "forbid: x | cannot unmarshal string",
                "allowEmpty: 'yes' | cannot unmarshal string",
                "allowempty: maybe | cannot unmarshal string",
                "allow: true | remora.output.allow is unknown",
            })
    void refusesBrokenOutputRules(String rule, String problem) {
        assertThat(refusal("output: {" + rule + "}")).hasMessageContaining(problem);
    }

    @Test
    void readsAWorkerWithAllItsBoundsOrTheirDefaults() {
        assertThat(settings(
                                "worker: {command: [python3, w.py], requests: 5, idle: 30s, memory: 1Gi, growth: 64Mi, max: 2}")
                        .worker())
                .hasValue(new RemoraSettings.Worker(
                        List.of("python3", "w.py"),
                        5,
                        Duration.ofSeconds(30),
                        OptionalLong.of(1L << 30),
                        64L << 20,
                        2));
        assertThat(settings("worker: {command: [w]}").worker())
                .hasValue(new RemoraSettings.Worker(
                        List.of("w"), 1000, Duration.ofMinutes(10), OptionalLong.empty(), 256L << 20, 4));
        assertThat(settings("limits: {}").worker()).isEmpty();
    }

    @Test
    void filtersTheEnvironmentByNamesAndPatterns() {
        RemoraSettings.EnvironmentFilter filter = settings("environment: {allow: [PATH, \"LC_*\", \"A[BC]\"]}")
                .environment()
                .orElseThrow();

        assertThat(filter.allows("PATH")).isTrue();
        assertThat(filter.allows("LC_ALL")).isTrue();
        assertThat(filter.allows("AC")).isTrue();
        assertThat(filter.allows("PATHS")).isFalse();
        assertThat(filter.allows("path")).isFalse();
        assertThat(filter.allows("AWS_SECRET_ACCESS_KEY")).isFalse();
        assertThat(settings("environment: {}").environment().orElseThrow().allows("PATH"))
                .isFalse();
        assertThat(settings("output: {}").environment()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"allow: ['[']", "allow: ['A=b']", "allow: ['']", "allow: PATH", "alow: [PATH]"})
    void refusesABrokenEnvironmentFilter(String filter) {
        assertThat(refusal("environment: {" + filter + "}")).hasMessageContaining("remora.environment");
    }

    @Test
    void knowsTheProjectsThatMayUseThePlugin() {
        RemoraSettings.Projects projects =
                settings("projects: [payments, search]").projects();

        assertThat(projects.allow("payments")).isTrue();
        assertThat(projects.allow("shop")).isFalse();
        assertThat(settings("projects: null").projects().allow("shop")).isTrue();
        assertThat(refusal("projects: []")).hasMessageContaining("remora.projects names no project");
        assertThat(refusal("projects: ['']")).hasMessageContaining("remora.projects has an empty name");
    }

    @Test
    void knowsWhetherRefSourcesAreLaidBesideTheApplication() {
        assertThat(settings("refs: true").refs()).isTrue();
        assertThat(settings("refs: false").refs()).isFalse();
        assertThat(RemoraSettings.DEFAULTS.refs()).isFalse();
        assertThat(refusal("refs: [a]")).hasMessageContaining("remora.refs: cannot unmarshal array");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inputs: x | remora.inputs: cannot unmarshal string",
                "cache: {maxAge: 10} | remora.cache.maxAge is no duration",
                "cache: {result: true} | remora.cache.result is unknown, did you mean results?",
                "sandbox: {network: true} | remora.sandbox.network: cannot unmarshal bool",
                "inputs: [] | remora.inputs names no file",
                "inputs: [''] | remora.inputs has an empty pattern",
                "inputs: [/lib/../x] | remora.inputs has a pattern that leaves the repository",
                "inputs: ['{app}x'] | remora.inputs has {app} with text right behind it",
                "inputs: ['/a[', '{app}/**'] | remora.inputs has the malformed pattern",
                "inputs: ['/x/{app}'] | remora.inputs has {app} behind other text",
                "cache: {ignore: ['']} | remora.cache.ignore has an item that is no name",
                "cache: {ignore: ['[']} | remora.cache.ignore has an item that is no name or pattern",
                "cache: {trace: 1} | remora.cache.trace: cannot unmarshal",
                "sandbox: {network: some} | remora.sandbox.network is \"some\"; write none or any",
                "sandbox: {readable: [opt]} | remora.sandbox.readable has an item that is no absolute path",
                "sandbox: {writable: [/opt/../etc]} | remora.sandbox.writable has an item that is no absolute path",
                "sandbox: {readble: [/opt]} | remora.sandbox.readble is unknown, did you mean readable?",
                "worker: {command: x} | remora.worker.command: cannot unmarshal string",
                "worker: {} | remora.worker.command names no program",
                "worker: {command: [x], max: 0} | remora.worker.max is 0; write a number from 1 to 256",
                "worker: {command: ['']} | remora.worker.command names no program",
                "worker: {command: [x], requests: 0} | remora.worker.requests is 0; write a number from 1 to",
                "worker: {command: [x], memory: 1k} | remora.worker.memory is 1000; write a number from 1048576 to",
                "worker: {command: [x], growth: much} | remora.worker.growth is no whole number",
                "worker: {command: [x], args: [y]} | remora.worker.args is unknown",
                "worker: {command: [x], idle: 1ms} | remora.worker.idle is too short",
                "refs: 'true' | remora.refs: cannot unmarshal string",
                "limit: {} | remora.limit is unknown, did you mean limits?",
                "[] | remora: cannot unmarshal array",
            })
    void checksTheTypesOfWhatItRefusesToo(String setting, String problem) {
        String text = setting.equals("[]") ? MINIMAL + "remora: []\n" : MINIMAL + "remora:\n  " + setting + "\n";
        Fault fault = PluginDefinitionReaderTest.refusal(text);

        assertThat(fault.code()).isEqualTo(FaultCode.CONFIG_INVALID);
        assertThat(fault).hasMessageContaining(problem);
    }

    @Test
    void readsWhatMayBeReused() {
        RemoraSettings.Cache cache = settings(
                        "cache: {results: true, maxAge: 10m, ignore: [ARGOCD_APP_REVISION*, B], trace: true}")
                .cache();

        assertThat(cache)
                .isEqualTo(new RemoraSettings.Cache(
                        true,
                        java.util.Optional.of(Duration.ofMinutes(10)),
                        java.util.List.of("ARGOCD_APP_REVISION*", "B"),
                        true));
        assertThat(settings("limits: {}").cache()).isEqualTo(RemoraSettings.Cache.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[ARGOCD_APP_REVISION] | echo ${ARGOCD_APP_REVISION} | takes ARGOCD_APP_REVISION for irrelevant, and spec.generate",
                "[X, 'ARGOCD_*'] | python -c 'import os; os.environ[\"ARGOCD_ENV_Y\"]' | takes ARGOCD_ENV_Y for irrelevant",
                "[ARGOCD_APP_REVISION] | echo $ARGOCD_APP_REVISION_SHORT | ''",
                "['*'] | cat file | ''",
            })
    void warnsOfAnIgnoredVariableThatACommandUses(String ignore, String script, String words) {
        String text = "kind: ConfigManagementPlugin\nmetadata: {name: cat}\nspec:\n  generate:\n    command: [sh, -c]\n"
                + "    args:\n    - |\n      " + script + "\nremora:\n  cache: {results: true, ignore: " + ignore
                + "}\n";
        var notes = PluginDefinitionReaderTest.read(text).notes();

        if (words.isEmpty()) {
            assertThat(notes).isEmpty();
        } else {
            assertThat(notes)
                    .singleElement()
                    .asString()
                    .startsWith("plugin.yaml:10:")
                    .contains(words);
        }
    }

    @Test
    void readsWhatThePluginReads() {
        RemoraSettings.Inputs inputs =
                settings("inputs: ['{app}/**', '/lib/{a,b}/**']").inputs();

        assertThat(inputs.all()).isFalse();
        assertThat(inputs.dependOnApplication()).isTrue();
        assertThat(inputs.patterns()).containsExactly("{app}/**", "/lib/{a,b}/**");
        assertThat(settings("limits: {}").inputs()).isEqualTo(RemoraSettings.Inputs.ALL);
    }

    private static RemoraSettings settings(String block) {
        return PluginDefinitionReaderTest.read(MINIMAL + "remora:\n" + block.indent(2))
                .settings();
    }

    private static Fault refusal(String block) {
        return PluginDefinitionReaderTest.refusal(MINIMAL + "remora:\n" + block.indent(2));
    }
}
