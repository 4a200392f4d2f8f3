package dev.remora.archive;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;

/// An archive asks for more than a limit allows: which entry, which limit, which setting.
final class LimitFault {
    private static final int SHOWN = 200;

    private LimitFault() {}

    /// @param setting its name in the `limits` block of a definition
    static Fault of(Bytes entry, String what, String setting) {
        String name = entry.toString();
        String shown = name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "...";
        return new Fault(
                FaultCode.ARCHIVE_LIMIT,
                "archive entry \"" + shown + "\" " + what + " (remora.limits." + setting
                        + "); exclude it or raise the limit");
    }
}
