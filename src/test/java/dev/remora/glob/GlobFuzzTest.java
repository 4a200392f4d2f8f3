package dev.remora.glob;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.remora.posix.Bytes;
import java.util.stream.Collectors;

/// Any pattern, any name: never an error of ours, and the automaton says what zglob's own regular expression says.
///
/// Input: the pattern, a zero byte, the name. The corpus lies beside the test's resources.
class GlobFuzzTest {
    @FuzzTest(maxDuration = "30s")
    void theAutomatonAgreesWithTheRegularExpression(byte[] input) {
        Bytes text = Bytes.of(input);
        int zero = text.indexOf((byte) 0, 0);
        if (zero < 0) {
            return;
        }
        Bytes pattern = CleanPath.join(CleanPath.ROOT, text.slice(0, zero));
        Bytes name = text.slice(zero + 1, text.length());
        Mask mask;
        try {
            mask = MaskParser.parse(pattern);
        } catch (PatternSyntaxException e) {
            return;
        }
        String regex =
                MaskParser.parts(pattern).stream().map(MaskPart::regex).collect(Collectors.joining("", "^", "$"));
        var folder = new FixedFolder(CleanPath.ROOT);
        boolean expected = new RegexMask(Pattern.compile(regex), folder)
                .start()
                .after(name.toArray())
                .accepts();

        assertThat(mask.start().after(name.toArray()).accepts()).isEqualTo(expected);
        if (expected) {
            assertThat(name.toString()).endsWith(mask.nameEnding().toString());
        }
    }

    @FuzzTest(maxDuration = "30s")
    void everyPatternAndNameHasAnAnswer(byte[] input) {
        Bytes text = Bytes.of(input);
        int zero = Math.max(text.indexOf((byte) 0, 0), 0);
        FilePathPattern pattern = FilePathPattern.of(text.slice(0, zero));
        FilePathPattern.Answer answer = pattern.match(text.slice(zero, text.length()));

        assertThat(pattern.wellFormed() && answer == FilePathPattern.Answer.MALFORMED)
                .isFalse();
    }
}
