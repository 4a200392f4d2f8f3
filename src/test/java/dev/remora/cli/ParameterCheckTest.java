package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.application.PluginParameter;
import dev.remora.plugin.ParameterAnnouncement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParameterCheckTest {
    private static ParameterAnnouncement announced(String name, String collection, boolean required, String standard) {
        return new ParameterAnnouncement(name, "", "", required, "", collection, standard, List.of(), Map.of());
    }

    private static List<String> findings(List<ParameterAnnouncement> announced, PluginParameter... given) {
        return ParameterCheck.of(announced, List.of(given)).findings().stream()
                .map(finding -> finding.rule() + ": " + finding.message())
                .toList();
    }

    @Test
    void hasNothingToSayOfWhatFits() {
        List<ParameterAnnouncement> all = List.of(
                announced("text", "", true, ""),
                announced("list", "array", true, ""),
                announced("map", "map", true, ""));

        assertThat(findings(
                        all,
                        PluginParameter.ofString("text", ""),
                        PluginParameter.ofArray("list", List.of()),
                        PluginParameter.ofMap("map", new LinkedHashMap<>(Map.of("a", "b")))))
                .isEmpty();
    }

    @Test
    void proposesTheNearestName() {
        assertThat(findings(
                        List.of(announced("helm-parameters", "map", false, "")),
                        PluginParameter.ofString("helm-paramters", "x")))
                .containsExactly("unknown: helm-paramters is not announced, did you mean helm-parameters?");
    }

    @Test
    void findsACollectionOfAnotherKind() {
        assertThat(findings(List.of(announced("files", "array", false, "")), PluginParameter.ofString("files", "x")))
                .containsExactly(
                        "collection: files is announced as array, and the Application gives a string; the plugin"
                                + " finds no variable where it looks");
    }

    @Test
    void findsARequiredOneThatOnlyHasADefault() {
        assertThat(findings(List.of(announced("tag", "", true, "latest"))))
                .containsExactly(
                        "default: tag is required and not given; Argo CD shows its default and never sends it");
    }

    @Test
    void findsNamesThatShareAVariable() {
        assertThat(findings(
                        List.of(announced("a-b", "", false, ""), announced("a.b", "", false, "")),
                        PluginParameter.ofString("a-b", "1"),
                        PluginParameter.ofString("a.b", "2")))
                .containsExactly("clash: a.b and a-b are both PARAM_A_B; the last one wins");
    }

    @Test
    void notesWhatIsNoMistake() {
        ParameterCheck check = ParameterCheck.of(
                List.of(announced("tag", "", false, "latest"), announced("tag", "", false, "")), List.of());

        assertThat(check.findings()).isEmpty();
        assertThat(check.notes())
                .containsExactly(
                        "tag is announced twice; Argo CD's UI shows the first",
                        "tag has a default that Argo CD shows and never sends: the plugin's command must know it");
    }
}
