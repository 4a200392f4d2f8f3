package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.Errno;
import dev.remora.posix.ErrnoException;
import java.util.Set;

/// The kernel refused an entry: the archive's fault where names clash, the work folder's where space, rights or
/// descriptors are missing.
final class SinkFault {
    private static final Set<Integer> OF_THE_ARCHIVE = Set.of(
            Errno.EEXIST,
            Errno.ENOENT,
            Errno.ENOTDIR,
            Errno.EISDIR,
            Errno.EINVAL,
            Errno.ELOOP,
            Errno.ENAMETOOLONG,
            Errno.EXDEV);

    private SinkFault() {}

    static Fault of(String doing, Bytes place, ErrnoException e) {
        boolean archive = OF_THE_ARCHIVE.contains(e.errno());
        String hint = e.errno() == Errno.ENOSPC ? " (bytes or inodes)" : "";
        return new Fault(
                archive ? FaultCode.ARCHIVE_INVALID : FaultCode.WORKSPACE,
                doing + " \"" + place + "\": " + e.reason() + hint,
                e);
    }
}
