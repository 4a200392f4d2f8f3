package dev.remora.sandbox;

/// A processor whose system calls we know by number.
public enum Processor {
    X86_64(0xC000003E),
    AARCH64(0xC00000B7);

    private final int auditArchitecture;

    Processor(int auditArchitecture) {
        this.auditArchitecture = auditArchitecture;
    }

    /// The one that this runs on. Others are refused before, by `Libc.unsupported`.
    public static Processor current() {
        return System.getProperty("os.arch", "").equals("aarch64") ? AARCH64 : X86_64;
    }

    /// `AUDIT_ARCH_…` of `<linux/audit.h>`: what a filter sees in `seccomp_data.arch`.
    int auditArchitecture() {
        return auditArchitecture;
    }

    /// Whether the kernel takes system calls of a second kind under the same architecture: x32, with bit 30 set.
    boolean hasX32() {
        return this == X86_64;
    }
}
