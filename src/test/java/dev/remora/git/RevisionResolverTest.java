package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// docs/spec/git.md, "Revisions".
class RevisionResolverTest {
    private static final String REFS = """
            ref: refs/heads/main\tHEAD
            0000000000000000000000000000000000000001\tHEAD
            0000000000000000000000000000000000000001\trefs/heads/main
            0000000000000000000000000000000000000002\trefs/heads/v1.5
            0000000000000000000000000000000000000003\trefs/heads/2.x
            0000000000000000000000000000000000000004\trefs/heads/both
            0000000000000000000000000000000000000005\trefs/heads/same
            0000000000000000000000000000000000000006\trefs/pull/1/head
            0000000000000000000000000000000000000007\trefs/heads/feedface
            000000000000000000000000000000000000000a\trefs/tags/v1.0.0
            000000000000000000000000000000000000000b\trefs/tags/1.2.0
            00000000000000000000000000000000000000c0\trefs/tags/v2.0.0
            000000000000000000000000000000000000000c\trefs/tags/v2.0.0^{}
            000000000000000000000000000000000000000d\trefs/tags/2.1.0-rc.1
            000000000000000000000000000000000000000e\trefs/tags/both
            0000000000000000000000000000000000000005\trefs/tags/same
            000000000000000000000000000000000000000f\trefs/tags/v3.0.0
            0000000000000000000000000000000000000010\trefs/tags/3.0.0
            0000000000000000000000000000000000000011\trefs/tags/app-1.4.0
            0000000000000000000000000000000000000012\trefs/tags/app-1.5.0
            """;

    @ParameterizedTest
    @CsvSource({
        "'', 1, HEAD",
        "HEAD, 1, HEAD",
        "main, 1, NAME",
        "refs/heads/main, 1, NAME",
        "v1.5, 2, NAME",
        "refs/heads/2.x, 3, NAME",
        "pull/1/head, 6, NAME",
        "feedface, 7, NAME",
        "v1.0.0, a, NAME",
        "v2.0.0, c, NAME",
        "same, 5, NAME",
        "^1, b, RANGE",
        "1.x, b, RANGE",
        "2.x, c, RANGE",
        ">=2.0.0-0 <3, d, RANGE",
        "~1.0, a, RANGE",
        "'>=1, <2', b, RANGE",
        "1.0 - 1.5, b, RANGE",
    })
    void resolvesAsArgoCdDoes(String revision, String last, Resolution.Rule rule) {
        Resolution found = resolver().resolve(revision, "");

        assertThat(found.commit()).contains(commit(last));
        assertThat(found.answered()).isEqualTo(commit(last).hex());
        assertThat(found.rule()).isEqualTo(rule);
    }

    private static CommitId commit(String last) {
        return new CommitId("0".repeat(40 - last.length()) + last);
    }

    private static RevisionResolver resolver() {
        return new RevisionResolver("https://host/repo", () -> RemoteRefs.parse(REFS.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void takesAFullCommitIdWithoutAskingAndKeepsItsCapitals() {
        List<String> asked = new ArrayList<>();
        RevisionResolver resolver = new RevisionResolver("r", () -> {
            asked.add("refs");
            throw new AssertionError();
        });

        Resolution found = resolver.resolve("ABCDEF" + "0".repeat(34), "");

        assertThat(asked).isEmpty();
        assertThat(found.answered()).isEqualTo("ABCDEF" + "0".repeat(34));
        assertThat(found.commit()).contains(new CommitId("abcdef" + "0".repeat(34)));
    }

    @Test
    void takesSevenHexDigitsForAShortCommitId() {
        Resolution found = resolver().resolve("30aab63", "");

        assertThat(found.rule()).isEqualTo(Resolution.Rule.SHORT_COMMIT);
        assertThat(found.answered()).isEqualTo("30aab63");
        assertThat(found.commit()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"30aab6", "main~1", "' main'", "v1", "1.0.0", "^7", "1", "MAIN", "refs/heads/nope"})
    void refusesWhatArgoCdDoesNotFind(String revision) {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver().resolve(revision, ""))
                .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_REVISION))
                .withMessageContaining("unable to resolve '" + revision + "' to a commit SHA: revision not found");
    }

    @Test
    void listsTheNearestNames() {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver().resolve("v2.0.1", ""))
                .withMessageContaining("the nearest are v2.0.0, ");
    }

    @Test
    void saysThatThereAreBlanks() {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver().resolve("main ", ""))
                .withMessageContaining("there are blanks around it")
                .withMessageContaining("main");
    }

    @Test
    void namesBothWhereABranchAndATagShareAName() {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver().resolve("both", ""))
                .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_AMBIGUOUS))
                .withMessageContaining("branch both (0000000) and tag both (0000000)")
                .withMessageContaining("refs/heads/both");
    }

    @Test
    void namesBothWhereTwoTagsAreOneVersion() {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver().resolve("^3", ""))
                .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_AMBIGUOUS))
                .withMessageContaining("tag v3.0.0")
                .withMessageContaining("tag 3.0.0");
    }

    @Test
    void seesOnlyTagsWithThePrefix() {
        assertThat(resolver().resolve("^1", "app-").ref()).contains("refs/tags/app-1.5.0");
        assertThat(resolver().resolve("1.4.0", "app-").ref()).contains("refs/tags/app-1.4.0");
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver().resolve("^2", "app-"))
                .withMessageContaining("revision not found");
    }

    @Test
    void saysWhichTagSpoilsEveryRange() {
        RevisionResolver resolver =
                new RevisionResolver("r", () -> RemoteRefs.parse("""
                        0000000000000000000000000000000000000001\trefs/tags/1.0.0
                        0000000000000000000000000000000000000002\trefs/tags/1.1.0-01
                        """.getBytes(StandardCharsets.UTF_8)));

        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver.resolve("^1", ""))
                .withMessageContaining("the tag 1.1.0-01 has a number with a leading zero");
    }

    @Test
    void saysThatARepositoryIsEmpty() {
        RevisionResolver resolver = new RevisionResolver("r", () -> RemoteRefs.parse(new byte[0]));

        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> resolver.resolve("HEAD", ""))
                .withMessageContaining("is empty: it has no commit");
    }
}
