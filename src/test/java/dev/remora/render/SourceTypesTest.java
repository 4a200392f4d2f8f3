package dev.remora.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.process.Cancellation;
import dev.remora.render.SourceTypes.Breadth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTypesTest {
    private static final String NO = "  discover: {fileName: nothing.here}";
    private static final String YES = "  discover: {fileName: '*.cue'}";

    private Selecting selecting;

    @BeforeEach
    void open(@TempDir Path base) throws IOException {
        selecting = new Selecting(base);
    }

    @AfterEach
    void close() {
        selecting.close();
    }

    private static String command(String script) {
        return "  discover: {find: {command: [sh, -c, '" + script + "']}}";
    }

    private static String plugin(SourceChoice choice) {
        return choice.type() instanceof SourceType.Plugin(KnownPlugin plugin)
                ? plugin.name()
                : choice.type().toString();
    }

    private Fault refusal(String source) {
        return catchThrowableOfType(Fault.class, () -> selecting.choose(source));
    }

    @Test
    void aStatedTypeIsNeverAskedAbout() throws IOException {
        selecting.file("app/x.cue").file("app/Chart.yaml").plugin("cue", YES);

        assertThat(selecting.choose("helm: {}").type()).isInstanceOf(SourceType.Helm.class);
        assertThat(selecting.choose("kustomize: {}").type()).isInstanceOf(SourceType.Kustomize.class);
        assertThat(selecting.choose("directory: {recurse: true}").type())
                .isInstanceOfSatisfying(
                        SourceType.Directory.class,
                        directory -> assertThat(directory.settings().recurse()).isTrue());
        assertThat(selecting.opened).isEmpty();
    }

    @Test
    void twoStatedTypesAreRefusedInArgoCdsWords() throws IOException {
        Files.writeString(selecting.root().resolve("app/.argocd-source.yaml"), "kustomize: {namePrefix: a-}\n");

        Fault fault = refusal("plugin: {}");

        assertThat(fault.code()).isEqualTo(FaultCode.SOURCE_TYPE);
        assertThat(fault)
                .hasMessageContaining(
                        "error getting app source type: multiple application sources defined: Kustomize,Plugin")
                .hasMessageContaining("app/.argocd-source.yaml");
    }

    @Test
    void aPluginWinsOverWhatTheFolderIsWithoutIt() throws IOException {
        selecting.file("app/x.cue").file("app/Chart.yaml").plugin("cue", YES);

        SourceChoice choice = selecting.choose("");

        assertThat(plugin(choice)).isEqualTo("cue");
        assertThat(choice.without()).contains("Helm (Chart.yaml)");
        assertThat(choice.asked().getFirst().answer().words()).contains("*.cue").contains("x.cue");
    }

    @Test
    void pluginsAreAskedByTheBytesOfTheirSocketsNamesAndTheOthersAreTold() throws IOException {
        selecting
                .file("app/x.cue")
                .plugin("b", YES)
                .plugin("a", YES)
                .plugin("a-2", YES)
                .plugin("Z", NO);

        SourceChoice choice = selecting.choose("");

        assertThat(choice.asked()).extracting(asked -> asked.plugin().name()).containsExactly("Z", "a-2", "a", "b");
        assertThat(choice.asked()).extracting(Asked::beyond).containsExactly(false, false, true, true);
        assertThat(plugin(choice)).isEqualTo("a-2");
        assertThat(choice.warnings())
                .singleElement()
                .isEqualTo("a, b want the folder as well; a-2 gets it, the first by the bytes of socket names; state"
                        + " spec.source.plugin.name");
    }

    @Test
    void whatCannotBeAskedIsNoNo() throws IOException {
        selecting
                .file("app/x.cue")
                .plugin("a", command("echo broken >&2; exit 3"))
                .plugin("cue", YES);

        Fault fault = refusal("");

        assertThat(fault)
                .hasMessageContaining("error checking repository support for plugin a.sock")
                .hasMessageContaining("broken");
        assertThat(refusal("plugin: {}")).hasMessageContaining("plugin a.sock").hasMessageContaining("broken");
    }

    @Test
    void whatFailsBehindTheFirstYesChangesNothing() throws IOException {
        selecting.file("app/x.cue").plugin("a", YES).plugin("b", command("exit 3"));

        SourceChoice choice = selecting.choose("", Breadth.EVERY);

        assertThat(plugin(choice)).isEqualTo("a");
        assertThat(choice.asked().getLast().answer()).isInstanceOf(Asked.Answer.Failed.class);
    }

    @Test
    void onlyWhatCostsNothingIsAskedBehindTheFirstYes() throws IOException {
        selecting.file("app/x.cue").plugin("a", YES).plugin("b", command("echo yes"));

        SourceChoice choice = selecting.choose("", Breadth.CHEAP);

        assertThat(selecting.opened).containsExactly("a");
        assertThat(choice.asked().getLast().answer().words()).isEqualTo("not asked any more");
        assertThat(selecting.choose("", Breadth.EVERY).warnings())
                .singleElement()
                .asString()
                .startsWith("b wants");
    }

    @Test
    void aPluginWithoutRuleTakesNothingUnnamed() {
        selecting.plugin("greedy");

        SourceChoice choice = selecting.choose("");

        assertThat(choice.type()).isInstanceOf(SourceType.Directory.class);
        assertThat(choice.asked().getFirst().answer().words()).isEqualTo("no discover rule: only by name");
        assertThat(selecting.opened).isEmpty();
        assertThat(refusal("plugin: {}"))
                .hasMessageContaining("could not find plugin supporting the given repository")
                .hasMessageContaining("greedy: no discover rule: only by name");
    }

    @Test
    void aNamedPluginWithoutRuleIsNotSentTheRepository() {
        selecting.plugin("kapitan", "  version: v1.0");

        SourceChoice choice = selecting.choose("plugin: {name: kapitan-v1.0}");

        assertThat(plugin(choice)).isEqualTo("kapitan-v1.0");
        assertThat(choice.reason()).isEqualTo("spec.source.plugin names it, and it has no discover rule");
        assertThat(selecting.opened).isEmpty();
    }

    @Test
    void aNamedPluginsRuleCountsAllTheSame() throws IOException {
        selecting.file("app/main.cu").plugin("cue", YES);

        assertThat(refusal("plugin: {name: cue}"))
                .hasMessageContaining(
                        "could not find cmp-server plugin with name \"cue\" supporting the given repository")
                .hasMessageContaining("it says no");
        selecting.file("app/main.cue");
        assertThat(selecting.choose("plugin: {name: cue}").reason()).contains("its discover rule agrees");
    }

    @Test
    void aNameWithoutItsVersionIsExplainedWithWhatThereIs() {
        selecting.plugin("kapitan", "  version: v1.0").socket(Path.of("/run/plugins/sops.sock"));

        Fault fault = refusal("plugin: {name: kapitan}");

        assertThat(fault.code()).isEqualTo(FaultCode.PLUGIN_ABSENT);
        assertThat(fault)
                .hasMessageContaining("its version is a part of the name: kapitan-v1.0")
                .hasMessageContaining("sops (unix:/run/plugins/sops.sock)");
        assertThat(refusal("plugin: {name: kapitan-v2.0}"))
                .hasMessageContaining("another version, or none: kapitan-v1.0");
        assertThat(refusal("plugin: {name: spos}")).hasMessageContaining("did you mean sops?");
    }

    @Test
    void aNameIsAPathThatStaysAmongTheSockets() {
        selecting.plugin("kapitan");

        assertThat(refusal("plugin: {name: ../outside}")).hasMessageContaining("outside plugin socket dir");
        assertThat(plugin(selecting.choose("plugin: {name: x/../kapitan}"))).isEqualTo("kapitan");
    }

    @Test
    void aSocketThatNobodyListensAtIsAFault(@TempDir Path sockets) {
        selecting.socket(sockets.resolve("nonexistent.sock"));

        assertThat(refusal("plugin: {name: nonexistent}").code()).isEqualTo(FaultCode.HOST_UNREACHABLE);
        assertThat(refusal("").code()).isEqualTo(FaultCode.HOST_UNREACHABLE);
    }

    @Test
    void aProjectIsRefusedBeforeAnythingIsAskedOrSent() throws IOException {
        String others = "remora: {projects: [payments]}";
        selecting.file("app/x.cue").plugin("cue", YES, others);

        assertThat(refusal("plugin: {name: cue}").code()).isEqualTo(FaultCode.PROJECT_REFUSED);
        SourceChoice choice = selecting.choose("");

        assertThat(choice.type()).isInstanceOf(SourceType.Directory.class);
        assertThat(choice.asked().getFirst().answer().words()).contains("AppProject team may not use it");
        assertThat(selecting.opened).isEmpty();
    }

    @Test
    void whileTheTypeIsOpenACommandSeesNothingOfTheCluster() throws IOException {
        selecting.file("app/x").plugin("cluster", command("echo $KUBE_VERSION | tr -d \"\\n\""));

        assertThat(selecting.choose("").type()).isInstanceOf(SourceType.Directory.class);
        assertThat(plugin(selecting.choose("plugin: {}"))).isEqualTo("cluster");
    }

    @Test
    void onceAPluginWantsTheFolderItIsAskedAgainWithAllThatItGets() throws IOException {
        selecting.file("app/x").plugin("shy", command("test -z \"$KUBE_VERSION\" && echo yes || true"));

        assertThat(refusal("")).hasMessageContaining("could not find plugin supporting the given repository");
        assertThat(selecting.opened).containsExactly("shy", "shy");
    }

    @Test
    void theFileThatStatesThePluginIsNamed() throws IOException {
        Files.writeString(selecting.root().resolve("app/.argocd-source-guestbook.yaml"), "plugin: {name: kapitan}\n");
        selecting.plugin("kapitan");

        SourceChoice choice = selecting.choose("");

        assertThat(plugin(choice)).isEqualTo("kapitan");
        assertThat(choice.reason()).contains("set by app/.argocd-source-guestbook.yaml");
    }

    @Test
    void withoutPluginsTheFolderTells() throws IOException {
        for (DirectoryCases.Case each : DirectoryCases.of("types.json")) {
            Path root = selecting.root().resolve(each.text("name"));
            each.write(root);

            String told = each.has("directory")
                    ? "Directory"
                    : FolderType.of(root.resolve("app")).toString();

            assertThat(told.replaceAll(" .*", "")).as(each.text("name")).isEqualTo(each.text("type"));
        }
    }

    @Test
    void whatIsNotRenderedYetSaysWhatToDo() throws IOException {
        selecting.file("app/kustomization.yaml");

        SourceChoice choice = selecting.choose("");

        assertThat(choice.notYet())
                .hasMessageContaining("Kustomize (kustomization.yaml)")
                .hasMessageContaining("kustomize build");
    }

    @Test
    void withoutAnyPluginTheSettingsThatNameOneAreTold() {
        assertThat(refusal("plugin: {}"))
                .hasMessageContaining("no plugin is known; name one with --plugin or --plugins-dir");
        assertThat(refusal("plugin: {name: a}")).hasMessageContaining("none is known");
    }

    @Test
    void aSourceThatOnlyLendsItsFilesIsNeverAskedAbout() {
        assertThatThrownBy(() -> new SourceTypes.Question(
                        EffectiveSource.of(lending()), Path.of("/"), Path.of("/"), request(), request()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static ApplicationSource lending() {
        var source = Selecting.source("ref: values");
        return new ApplicationSource(
                source.repoUrl(),
                "",
                "",
                "",
                "values",
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                source.written());
    }

    private static RenderRequest request() {
        return new RenderRequest(
                new SourceFolder(Bytes.utf8("/"), List.of()),
                "a",
                Bytes.EMPTY,
                "p",
                List.of(),
                Optional.empty(),
                new Cancellation());
    }
}
