package dev.remora.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remora.sandbox.Syscall;
import dev.remora.testing.KernelHeaders;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The numbers that are written down here are those of the kernel's own headers, for both processors.
class KernelNumbersTest {
    @ParameterizedTest
    @EnumSource(KernelHeaders.class)
    void openFlagsAreTheKernels(KernelHeaders headers) throws IOException {
        assumeTrue(headers.there(), headers.missing());
        Map<String, Long> flags = headers.numbers("asm-generic/fcntl.h", "O_");
        flags.putAll(headers.numbers("asm/fcntl.h", "O_"));
        boolean arm = headers == KernelHeaders.AARCH64;

        assertThat(flags)
                .containsEntry("DIRECTORY", (long) OpenFlags.directory(arm))
                .containsEntry("NOFOLLOW", (long) OpenFlags.noFollow(arm))
                .containsEntry("CREAT", (long) OpenFlags.CREATE)
                .containsEntry("EXCL", (long) OpenFlags.EXCLUSIVE)
                .containsEntry("TRUNC", (long) OpenFlags.TRUNCATE)
                .containsEntry("CLOEXEC", (long) OpenFlags.CLOSE_ON_EXEC)
                .containsEntry("PATH", (long) OpenFlags.PATH_ONLY)
                .containsEntry("RDWR", (long) OpenFlags.READ_WRITE);
        assertThat(headers.numbers("linux/fcntl.h", "AT_"))
                .containsEntry("SYMLINK_NOFOLLOW", (long) OpenFlags.AT_SYMLINK_NOFOLLOW)
                .containsEntry("REMOVEDIR", (long) OpenFlags.AT_REMOVEDIR)
                .containsEntry("EMPTY_PATH", (long) OpenFlags.AT_EMPTY_PATH)
                .containsEntry("FDCWD", (long) OpenFlags.AT_CWD);
    }

    @ParameterizedTest
    @EnumSource(KernelHeaders.class)
    void systemCallsAreTheKernels(KernelHeaders headers) throws IOException {
        assumeTrue(headers.there(), headers.missing());
        Map<String, Long> numbers = headers.systemCalls();

        assertThat(numbers).containsEntry("pidfd_open", 434L).containsEntry("pidfd_send_signal", 424L);
        for (Syscall call : Syscall.values()) {
            var ours = call.number(headers.processor());
            Long theirs = numbers.get(call.name().toLowerCase(Locale.ROOT));
            if (theirs == null) {
                // Newer than the headers, or not on this processor.
                assertThat(ours.isEmpty() || ours.getAsInt() > numbers.getOrDefault("landlock_restrict_self", 0L))
                        .as("%s %s", call, ours)
                        .isTrue();
            } else {
                assertThat(ours).as("%s", call).hasValue(theirs.intValue());
            }
        }
    }

    /// `FileStatus` reads these fields at these places.
    @ParameterizedTest
    @EnumSource(KernelHeaders.class)
    void fieldsOfAFilesStatusLieWhereTheKernelPutsThem(KernelHeaders headers) throws IOException {
        assumeTrue(headers.there(), headers.missing());

        assertThat(headers.offsets("linux/stat.h", "statx"))
                .containsEntry("stx_nlink", 16L)
                .containsEntry("stx_uid", 20L)
                .containsEntry("stx_gid", 24L)
                .containsEntry("stx_mode", 28L)
                .containsEntry("stx_ino", 32L)
                .containsEntry("stx_size", 40L)
                .containsEntry("stx_ctime", 96L)
                .containsEntry("stx_mtime", 112L)
                .containsEntry("stx_dev_major", 136L)
                .containsEntry("stx_dev_minor", 140L)
                .containsEntry("", FileStatus.STRUCT_SIZE);
    }

    @Test
    void theHeadersOfTheOtherProcessorDiffer() throws IOException {
        assumeTrue(KernelHeaders.X86_64.there() && KernelHeaders.AARCH64.there(), "needs both");
        assertThat(KernelHeaders.X86_64.systemCalls().get("execve"))
                .isNotEqualTo(KernelHeaders.AARCH64.systemCalls().get("execve"));
    }
}
