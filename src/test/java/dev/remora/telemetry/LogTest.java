package dev.remora.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remora.fault.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines as logrus writes them, so that what collects Argo CD's logs reads ours too.
class LogTest {
    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-03-04T05:06:07.089Z"));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Log log(LogFormat format, LogLevel level) {
        return new Log(new LogSettings(format, level, Optional.of("UTC"), false, false), out, NOON, Mask.NONE);
    }

    private String written() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesJsonWithSortedKeys() {
        log(LogFormat.JSON, LogLevel.INFO)
                .info(
                        "made <it> & \"so\"\n",
                        LogKey.PLUGIN.is("p\t"),
                        LogKey.BYTES_IN.is(12),
                        LogKey.PHASES.is(Map.of("unpack", 1.5, "init", 2)));
        assertThat(written())
                .isEqualTo(
                        "{\"bytes_in\":12,\"level\":\"info\",\"msg\":\"made \\u003cit\\u003e \\u0026 \\\"so\\\"\\n\","
                                + "\"phases_ms\":{\"init\":2,\"unpack\":1.5},\"plugin\":\"p\\t\",\"time\":\"UTC\"}\n");
    }

    @Test
    void writesTextWithQuotesWhereNeeded() {
        log(LogFormat.TEXT, LogLevel.INFO)
                .warning(
                        "it's late",
                        LogKey.PATH.is("a/b-c.d_e@f^g+1"),
                        LogKey.ERROR.is("tab\there"),
                        LogKey.REASON.is(""),
                        LogKey.PHASES.is(Map.of("b", 2, "a", 1)));
        assertThat(written())
                .isEqualTo("time=UTC level=warning msg=\"it's late\" error=\"tab\\there\" path=a/b-c.d_e@f^g+1"
                        + " phases_ms=\"a=1 b=2\" reason=\n");
    }

    @Test
    void writesColoursForATerminal() {
        LogSettings settings = new LogSettings(LogFormat.TEXT, LogLevel.INFO, Optional.empty(), true, false);
        new Log(settings, out, NOON, Mask.NONE).error("broken", LogKey.PLUGIN.is("p"));
        assertThat(written())
                .isEqualTo("\u001b[31mERRO\u001b[0m[0000] " + "broken" + " ".repeat(39)
                        + " \u001b[31mplugin\u001b[0m=p\n");
    }

    @ParameterizedTest
    @CsvSource({"error,1", "warning,2", "info,3", "debug,4", "trace,5", "panic,0"})
    void leavesOutWhatIsBelowTheLevel(String level, int lines) {
        Log log = log(LogFormat.TEXT, LogLevel.parse(level));
        log.error("e");
        log.warning("w");
        log.info("i");
        log.debug("d");
        log.trace("t");
        assertThat(written().lines()).hasSize(lines);
    }

    @Test
    void readsLevelsInAnyCaseAndWarn() {
        assertThat(LogLevel.parse("WARN")).isEqualTo(LogLevel.WARNING);
        assertThat(LogLevel.parse("Debug")).isEqualTo(LogLevel.DEBUG);
        assertThatThrownBy(() -> LogLevel.parse("loud"))
                .isInstanceOf(Fault.class)
                .hasMessageContaining("not a valid log level: \"loud\"");
        assertThatThrownBy(() -> LogFormat.parse("xml")).hasMessageContaining("Unknown log format \"xml\"");
    }

    @Test
    void hidesSecretsInMessageAndFields() {
        Mask mask = Mask.ofEnvironment(Map.of("DB_PASSWORD", "hunter2", "HOME", "/home/argocd"));
        log(LogFormat.JSON, LogLevel.INFO)
                .masking(mask)
                .info("psql hunter2 /home/argocd", LogKey.STDERR.is("tried hunter2"));
        assertThat(written()).doesNotContain("hunter2").contains("psql ****** /home/argocd", "tried ******");
    }

    @Test
    void goesOnWhenNobodyReads() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        Log log = new Log(LogSettings.DEFAULT, closed, NOON, Mask.NONE);
        log.info("nobody hears this");
        assertThat(log.isOn(LogLevel.INFO)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PASSWORD", "DB_PASSWORD", "dbPassword", "ARGOCD_ENV_GITHUB_TOKEN", "PARAM_API_KEY", "apiKey",
                "AWS_SECRET_ACCESS_KEY", "VAULT_CREDENTIALS", "SOPS_AGE_KEY", "MY-PASSPHRASE", "DBPASSWORD",
                        "BASIC_AUTH"
            })
    void takesTheNameForASecret(String name) {
        assertThat(Mask.isSecretName(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HOME",
                "KEYCLOAK_URL",
                "MONKEY",
                "SOPS_AGE_KEY_FILE",
                "ARGOCD_APP_NAME",
                "KUBE_VERSION",
                "PATH",
                "COMPASS",
                "SECRET_NAME",
                "ARGOCD_APP_SOURCE_PATH",
                "AUTHOR",
                "TOKEN_PATH",
                "PWD",
                "OLDPWD",
                ""
            })
    void takesTheNameForHarmless(String name) {
        assertThat(Mask.isSecretName(name)).isFalse();
    }

    @Test
    void hidesLongerSecretsFirstAndLeavesCommonText() {
        Mask mask = Mask.of(List.of("abcd", "abcdefgh", "1", "true", "  padded  "));
        assertThat(mask.apply("abcdefgh abcd 1 true padded")).isEqualTo("****** ****** 1 true ******");
    }

    @Test
    void hidesEachLineOfAPrivateKey() {
        String key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nQIBADANBgkqhkiG9w0BXX\n-----END KEY-----\n";
        assertThat(Mask.of(List.of(key)).apply("line 2: MIIEvQIBADANBgkqhkiG9w0B!"))
                .isEqualTo("line 2: ******!");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2006-01-02T15:04:05Z07:00|2026-03-04T05:06:07Z",
                "2006-01-02T15:04:05.000Z07:00|2026-03-04T05:06:07.089Z",
                "2006-01-02T15:04:05.999999999Z07:00|2026-03-04T05:06:07.089Z",
                "02 Jan 06 15:04 MST|04 Mar 26 05:06 UTC",
                "Mon Jan _2 3:4:5 2006|Wed Mar  4 5:6:7 2026",
                "15:04:05,000|05:06:07,089",
                "at 3PM|at 5AM",
                "-0700|+0000"
            })
    void writesTimesByGosLayouts(String layout, String expected) {
        assertThat(new GoTimeLayout(layout).format(NOON.instant().atZone(java.time.ZoneId.of("UTC"))))
                .isEqualTo(expected);
    }
}
