package dev.remora.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.LexicalPath;
import dev.remora.workspace.RootedPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MissedInputTest {
    private static final SkippedNames SKIPPED = skipped(
            "lib", "lib/common.sh", "charts/web/values.yaml", "apps/one/secret.txt", "top.yaml", "deep/lib/extra.cue");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cat: ../../lib/common.sh: No such file or directory           | lib/common.sh | "/lib/**"
                    sh: 1: .: can't open '/w/tree/lib/common.sh'                  | lib/common.sh | "/lib/**"
                    open charts/web/values.yaml: no such file or directory        | charts/web/values.yaml | "/charts/web/**"
                    FileNotFoundError: [Errno 2] No such file or directory: '../../top.yaml' | top.yaml | "/top.yaml"
                    fork/exec ./secret.txt: no such file or directory             | apps/one/secret.txt | "{app}/**"
                    could not load import "../lib/extra.cue"                      | deep/lib/extra.cue | "/deep/lib/**"
                    ls: cannot access '../../lib': No such file or directory      | lib | "/lib"
                    """)
    void namesTheEntryAndThePattern(String words, String entry, String pattern) {
        assertThat(explained(words))
                .isEqualTo(words + "; " + entry + " exists in the repository but not in remora.inputs; add " + pattern);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat: ../../lib/other.sh: No such file or directory",
                "open /etc/lib/common.sh: no such file or directory",
                "lib/common.sh: line 3: syntax error",
                "lib: command not usable",
            })
    void addsNothingToOtherFailures(String words) {
        assertThat(explained(words)).isEqualTo(words);
    }

    @Test
    void tellsSeveralBelowWordsOfManyLines() {
        String words = "exit status 1: cat: ../../top.yaml: No such file or directory\n"
                + "cat: ../../lib/common.sh: No such file or directory";

        assertThat(explained(words))
                .isEqualTo(words + "\nlib/common.sh, top.yaml exist in the repository but not in remora.inputs; add"
                        + " \"/lib/**\", \"/top.yaml\"");
    }

    @Test
    void keepsTheCodeAndTheOtherProblems() {
        Fault fault = new Fault(FaultCode.COMMAND_FAILED, "no such file: ../../top.yaml");

        Fault explained = catchThrowableOfType(
                Fault.class,
                () -> missed(SKIPPED).explaining(() -> {
                    throw fault;
                }));

        assertThat(explained.code()).isEqualTo(FaultCode.COMMAND_FAILED);
        assertThat(explained).hasMessageContaining("top.yaml exists in the repository");
    }

    @Test
    void changesNothingWhereNothingWasLeftOut() {
        Fault fault = new Fault(FaultCode.COMMAND_FAILED, "no such file: ../../top.yaml");

        assertThatThrownBy(() -> missed(SkippedNames.NONE).explaining(() -> {
                    throw fault;
                }))
                .isSameAs(fault);
    }

    @Test
    void remembersABoundedNumberOfNamesAndCountsAll() {
        SkippedNames names = new SkippedNames();
        for (int i = 0; i < 100_000; i++) {
            names.add(path("folder/some-longer-name-" + i));
        }
        assertThat(names.count()).isEqualTo(100_000);
        assertThat(names.contains(Bytes.utf8("folder/some-longer-name-0"))).isTrue();
        assertThat(names.contains(Bytes.utf8("folder/some-longer-name-99999"))).isFalse();
    }

    private static String explained(String words) {
        Fault fault = catchThrowableOfType(
                Fault.class,
                () -> missed(SKIPPED).explaining(() -> {
                    throw new Fault(FaultCode.COMMAND_FAILED, words);
                }));
        return Fault.words(fault);
    }

    private static MissedInput missed(SkippedNames skipped) {
        return new MissedInput(skipped, RootedPath.lexical(Bytes.utf8("/w/tree"), Bytes.utf8("apps/one")));
    }

    private static SkippedNames skipped(String... names) {
        SkippedNames all = new SkippedNames();
        for (String name : names) {
            all.add(path(name));
        }
        return all;
    }

    private static EntryPath path(String name) {
        return new EntryPath(LexicalPath.parts(Bytes.utf8(name)));
    }
}
