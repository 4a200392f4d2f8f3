package dev.remora.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.ProcFile;
import dev.remora.testing.NeedsLandlock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KernelSupportTest {
    @Test
    @NeedsLandlock
    void findsEveryLayerOfACurrentKernelByTrying() {
        KernelSupport thorough = KernelSupport.probeThoroughly();

        assertThat(thorough.missing()).isEmpty();
        assertThat(thorough.landlock()).isGreaterThanOrEqualTo(6);
        assertThat(KernelSupport.probe()).isEqualTo(thorough);
    }

    @Test
    @NeedsLandlock
    void leavesTheCallingThreadFree() {
        KernelSupport _ = KernelSupport.probe();

        assertThat(ProcFile.text("/proc/thread-self/status", 8192).orElseThrow())
                .contains("NoNewPrivs:\t0", "Seccomp:\t0");
    }

    @Test
    void saysWhatDoesNotHoldAndWhatWouldHaveIt() {
        KernelSupport old = new KernelSupport(
                4,
                Map.of(
                        KernelSupport.Layer.SIGNALS, "this kernel has Landlock 4",
                        KernelSupport.Layer.DEVICES, "this kernel has Landlock 4"));

        assertThat(old.canBeStrict()).isTrue();
        assertThat(old.describe())
                .isEqualTo(
                        "device controls are not fenced (needs Landlock 5 (Linux 6.10): this kernel has Landlock 4);"
                                + " renders may signal one another (needs Landlock 6 (Linux 6.12): this kernel has Landlock 4)");
        assertThat(KernelSupport.nothing("gVisor").canBeStrict()).isFalse();
    }
}
