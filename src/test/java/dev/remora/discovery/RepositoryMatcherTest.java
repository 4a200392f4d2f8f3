package dev.remora.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.archive.EntryPath;
import dev.remora.archive.UnpackOptions;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.Departures;
import dev.remora.plugin.DiscoverRule;
import dev.remora.plugin.DiscoverRule.FileName;
import dev.remora.plugin.DiscoverRule.FindGlob;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.workspace.RootedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables of patterns in `docs/spec/discovery.md`, each row on a folder and on the names of an archive.
class RepositoryMatcherTest {
    private static final List<String> FILES = List.of(
            "cm.yaml",
            "kustomization.yaml",
            "config/plugin.yaml",
            "Chart.yaml",
            "a/Chart.yaml",
            "a/b/Chart.yaml",
            ".hidden/Chart.yaml",
            "sub/s1.yaml",
            "sub/s2.yml");
    private static final String LINK = "linkdir";

    @TempDir
    private Path folder;

    @BeforeEach
    void layOut() throws IOException {
        for (String file : FILES) {
            Path path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "");
        }
        Files.createSymbolicLink(folder.resolve(LINK), Path.of("a"));
    }

    @ParameterizedTest
    @CsvSource({
        "kustomization.yaml, true",
        "not_found.yaml, false",
        "'*.yaml', true",
        "'*.yml', false",
        "'./sub/s*.yml', true",
        "/Chart.yaml, true",
        "'linkdir/b/C*', true",
        "linkdir/b/Chart.yaml, true",
        "linkdir, true",
        "'*/Chart.yaml', true",
        "'**/Chart.yaml', true",
        "'**/b/Chart.yaml', true",
        "'**/nope/Chart.yaml', false",
        "'*/*/*/Chart.yaml', false",
        "'.h*', true",
        "'{a,b}', false",
        "'[!a]/*', true",
    })
    void matchesFileNamesAsGoGlobs(String pattern, boolean supported) {
        assertBoth(new FileName(pattern), ".", supported);
    }

    @ParameterizedTest
    @CsvSource({
        "'**/*/plugin.yaml', true",
        "'**/*/not_found.yaml', false",
        "'**/Chart.yaml', true",
        "'*/Chart.yaml', true",
        "'a/**/Chart.yaml', true",
        "'a**/Chart.yaml', true",
        "'a/**', true",
        "'linkdir/**/Chart.yaml', true",
        "'**/linkdir/Chart.yaml', false",
        "'{a,sub}/*.yaml', true",
        "'*.{yaml,json}', true",
        "'*.{yml,json}', false",
        "'**/s[12].y*', true",
        "'**/nope.yaml', false",
    })
    void matchesGlobsAsZglobDoes(String pattern, boolean supported) {
        assertBoth(new FindGlob(pattern), ".", supported);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "does-not-exist | file does not exist",
                "?hart.yaml | file does not exist",
                "sub/s[1].yaml | file does not exist",
                "nodir/* | stat /_cmp_server/<root>/nodir: no such file or directory",
                "br\\[1\\]/*.yaml | stat /_cmp_server/<root>/br\\[1\\]: no such file or directory",
            })
    void anAbsentLiteralIsNoMatchAndInArgoCdsWayAFault(String pattern, String reason) {
        var rule = new FindGlob(pattern);

        assertBoth(rule, ".", false);
        Departures argoCd = Departures.parse("literal-glob");
        for (Fault fault :
                List.of(refusal(() -> onFolder(rule, ".", argoCd)), refusal(() -> onNames(rule, ".", argoCd)))) {
            assertThat(fault.code()).isEqualTo(FaultCode.DISCOVERY_FAILED);
            assertThat(fault)
                    .hasMessage("match repository error: error finding glob match for pattern \"/_cmp_server/<root>/"
                            + pattern + "\": " + reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "a[", "[-]", "[]a]", "\\"})
    void aMalformedFileNameCannotBeAsked(String pattern) {
        var rule = new FileName(pattern);

        Departures ours = Departures.NONE_SWITCHED_BACK;
        for (Fault fault : List.of(refusal(() -> onFolder(rule, ".", ours)), refusal(() -> onNames(rule, ".", ours)))) {
            assertThat(fault.code()).isEqualTo(FaultCode.DISCOVERY_FAILED);
            assertThat(fault)
                    .hasMessageStartingWith("match repository error: error finding filename match for pattern")
                    .hasMessageEndingWith("syntax error in pattern");
        }
    }

    @Test
    void asksInTheApplicationsFolderWhichAPatternMayLeaveButNotTheRoot() {
        assertBoth(new FileName("Chart.yaml"), "a/b", true);
        assertBoth(new FileName("kustomization.yaml"), "a/b", false);
        assertBoth(new FileName("../../kustomization.yaml"), "a/b", true);
        assertBoth(new FileName("../../../*/kustomization.yaml"), "a/b", true);
        assertBoth(new FileName("../../../../etc/passwd"), "a/b", false);
        assertBoth(new FindGlob("../../../../../etc/pass*"), "a/b", false);
        assertBoth(new FileName("Chart.yaml"), "linkdir/b", true);
        assertBoth(new FileName("Chart.yaml"), "../../a", true);
        assertBoth(new FileName("Chart.yaml"), "no/such/folder", false);
    }

    @Test
    void onlyTheFirstRuleCounts() {
        var definition = Definitions.with(new FileName("nope"), new FindGlob("**/Chart.yaml"));
        var matcher = new RepositoryMatcher(definition, Departures.NONE_SWITCHED_BACK, name -> "");

        assertThat(matcher.onFolder(rooted(".")).supported()).isFalse();
    }

    @Test
    void withoutARuleNothingIsAskedAndDiscoveryIsOff() {
        var matcher = new RepositoryMatcher(Definitions.with(), Departures.NONE_SWITCHED_BACK, name -> "");

        assertThat(matcher.needs()).isEqualTo(RepositoryMatcher.Needs.NOTHING);
        Verdict verdict = matcher.onFolder(rooted("."));
        assertThat(verdict.supported()).isFalse();
        assertThat(verdict.discoveryConfigured()).isFalse();
        assertThat(verdict.reason()).contains("some-plugin-v1.0");
    }

    @Test
    void saysWhatMatchedAndWhatCameClosest() {
        Departures ours = Departures.NONE_SWITCHED_BACK;
        assertThat(onFolder(new FindGlob("**/s1.yaml"), ".", ours).reason())
                .isEqualTo("spec.discover.find.glob \"**/s1.yaml\" matches sub/s1.yaml");
        assertThat(onFolder(new FileName("plugin.yaml"), ".", ours))
                .isEqualTo(new Verdict.No(
                        "nothing matches spec.discover.fileName \"plugin.yaml\"", Optional.of("config/plugin.yaml")));
        assertThat(onFolder(new FindGlob("**/kustomisation.yml"), ".", ours))
                .isInstanceOfSatisfying(
                        Verdict.No.class, no -> assertThat(no.closest()).contains("kustomization.yaml"));
        assertThat(onFolder(new FindGlob("**/zzz.jsonnet"), ".", ours))
                .isInstanceOfSatisfying(
                        Verdict.No.class, no -> assertThat(no.closest()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 5000})
    void refusesApplicationPathsThatNoFolderCanHave(int length) {
        Bytes tooLong = Bytes.utf8("x".repeat(length));

        assertThat(refusal(() -> sink(tooLong)).code()).isEqualTo(FaultCode.PATH_INVALID);
        assertThat(refusal(() -> sink(Bytes.of(new byte[] {'a', 0}))).code()).isEqualTo(FaultCode.PATH_INVALID);
    }

    @Test
    void refusesEntriesBelowALink() {
        NameTreeSink names = sink(Bytes.utf8("."));
        names.symlink(entry("l"), Bytes.utf8("a"));

        for (Fault fault : List.of(
                refusal(() -> names.file(entry("l/x"), 0644, 0)),
                refusal(() -> names.file(entry("l"), 0644, 0)),
                refusal(() -> names.directory(entry("l"), 0755)),
                refusal(() -> names.symlink(entry("l"), Bytes.utf8("b"))),
                refusal(() -> names.symlink(entry("no/l"), Bytes.utf8("b"))))) {
            assertThat(fault.code()).isEqualTo(FaultCode.ARCHIVE_INVALID);
        }
    }

    @Test
    void namesThatAreNotUtf8AreNamesLikeOthers() {
        var matcher = new RepositoryMatcher(
                Definitions.with(new FindGlob("**/*.yaml")), Departures.NONE_SWITCHED_BACK, name -> "");
        NameTreeSink names = matcher.names(Bytes.of(new byte[] {(byte) 0xfe}), UnpackOptions.DEFAULT);
        Bytes path = Bytes.of(new byte[] {(byte) 0xfe, '/', (byte) 0xff, '.', 'y', 'a', 'm', 'l'});
        names.file(new EntryPath(LexicalPath.parts(path)), 0644, 0);

        assertThat(matcher.onNames(names).supported()).isTrue();
    }

    private void assertBoth(DiscoverRule rule, String application, boolean supported) {
        Verdict onFolder = onFolder(rule, application, Departures.NONE_SWITCHED_BACK);
        Verdict onNames = onNames(rule, application, Departures.NONE_SWITCHED_BACK);

        assertThat(onFolder.supported()).as("folder: " + onFolder.reason()).isEqualTo(supported);
        assertThat(onNames.supported()).as("names: " + onNames.reason()).isEqualTo(supported);
        assertThat(onFolder.discoveryConfigured()).isTrue();
    }

    private Verdict onFolder(DiscoverRule rule, String application, Departures departures) {
        return new RepositoryMatcher(Definitions.with(rule), departures, name -> "").onFolder(rooted(application));
    }

    private static Verdict onNames(DiscoverRule rule, String application, Departures departures) {
        var matcher = new RepositoryMatcher(Definitions.with(rule), departures, name -> "");
        assertThat(matcher.needs()).isEqualTo(RepositoryMatcher.Needs.NAMES);
        try (NameTreeSink names = matcher.names(Bytes.utf8(application), UnpackOptions.DEFAULT)) {
            for (String file : FILES) {
                names.file(entry(file), 0644, 0);
                names.fileEnd();
            }
            names.symlink(entry(LINK), Bytes.utf8("a"));
            names.finish();
            return matcher.onNames(names);
        }
    }

    private static NameTreeSink sink(Bytes application) {
        return new RepositoryMatcher(Definitions.with(new FileName("x")), Departures.NONE_SWITCHED_BACK, name -> "")
                .names(application, UnpackOptions.DEFAULT);
    }

    private static Fault refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(Fault.class, call);
    }

    private static EntryPath entry(String path) {
        return new EntryPath(LexicalPath.parts(Bytes.utf8(path)));
    }

    private RootedPath rooted(String application) {
        return RootedPath.resolved(Bytes.utf8(folder.toString()), Bytes.utf8(application));
    }
}
