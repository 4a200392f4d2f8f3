package dev.remora.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FingerprintTest {
    @Test
    void partsDoNotRunTogether() {
        assertThat(of("ab", "c")).isNotEqualTo(of("a", "bc")).isNotEqualTo(of("abc"));
        assertThat(of("a", "")).isNotEqualTo(of("a")).isNotEqualTo(of("", "a"));
    }

    @Test
    void equalPartsGiveOneFingerprint() {
        assertThat(of("a", "b")).isEqualTo(of("a", "b")).hasSize(64);
    }

    @Test
    void forgetsTheFactThatWasAskedForLongestAgo() {
        Remembered<Integer> facts = new Remembered<>(2);
        facts.put("a", 1);
        facts.put("b", 2);
        assertThat(facts.find("a")).contains(1);
        facts.put("c", 3);

        assertThat(facts.find("b")).isEmpty();
        assertThat(facts.find("a")).contains(1);
        assertThat(facts.size()).isEqualTo(2);
    }

    private static String of(String... parts) {
        Fingerprint fingerprint = new Fingerprint();
        for (String part : parts) {
            fingerprint.add(part);
        }
        return fingerprint.hex();
    }
}
