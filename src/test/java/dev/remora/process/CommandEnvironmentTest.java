package dev.remora.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandEnvironmentTest {
    private static final CommandEnvironment OWN =
            new CommandEnvironment(List.of(Bytes.utf8("PATH=/bin"), Bytes.utf8("SECRET=x"), Bytes.utf8("ODD")));

    @Test
    void putsTheRequestBehindTheServersOwnAndLetsTheLastWin() {
        List<Bytes> all = OWN.with(
                List.of(
                        EnvironmentVariable.of("name1", "value1"),
                        EnvironmentVariable.of("", "dropped"),
                        EnvironmentVariable.of("PATH", "/opt/bin"),
                        EnvironmentVariable.of("name3", ""),
                        EnvironmentVariable.of("name1", "again")),
                name -> true);

        assertThat(all)
                .extracting(Bytes::toString)
                .containsExactlyInAnyOrder("PATH=/opt/bin", "SECRET=x", "name1=again", "name3=");
    }

    @Test
    void filtersOnlyTheServersOwnVariables() {
        List<Bytes> all =
                OWN.with(List.of(EnvironmentVariable.of("ARGOCD_APP_NAME", "a")), name -> name.startsWith("PA"));

        assertThat(all).extracting(Bytes::toString).containsExactly("PATH=/bin", "ARGOCD_APP_NAME=a");
    }

    @Test
    void keepsBytesThatAreNotUtf8() {
        Bytes value = Bytes.of(new byte[] {(byte) 0xff, 'x'});

        List<Bytes> all = new CommandEnvironment(List.of())
                .with(List.of(new EnvironmentVariable(Bytes.utf8("RAW"), value)), name -> true);

        assertThat(all).containsExactly(Bytes.utf8("RAW=").plus(value));
    }

    @Test
    void showsTheLocaleAsItWasBeforeTheLauncherChangedIt() {
        List<Bytes> was = List.of(Bytes.utf8("A=1"), Bytes.utf8("LC_ALL=C.UTF-8"));

        assertThat(CommandEnvironment.asItWas(was)).isEqualTo(was);
        assertThat(CommandEnvironment.asItWas(with(was, "REMORA_LOCALE_BEFORE==POSIX")))
                .containsExactly(Bytes.utf8("A=1"), Bytes.utf8("LC_ALL=POSIX"));
        assertThat(CommandEnvironment.asItWas(with(was, "REMORA_LOCALE_BEFORE==")))
                .containsExactly(Bytes.utf8("A=1"), Bytes.utf8("LC_ALL="));
        assertThat(CommandEnvironment.asItWas(with(was, "REMORA_LOCALE_BEFORE=")))
                .containsExactly(Bytes.utf8("A=1"));
    }

    private static List<Bytes> with(List<Bytes> all, String more) {
        return java.util.stream.Stream.concat(all.stream(), java.util.stream.Stream.of(Bytes.utf8(more)))
                .toList();
    }

    @Test
    void readsThisProcessAndWhatTheServerSets() {
        CommandEnvironment own = CommandEnvironment.ofThisProcess(Map.of("ARGOCD_LOG_LEVEL", "info"));

        assertThat(own.own())
                .contains(Bytes.utf8("PATH=" + System.getenv("PATH")), Bytes.utf8("ARGOCD_LOG_LEVEL=info"));
    }
}
