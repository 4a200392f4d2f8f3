package dev.remora.sandbox;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Errno;

/// What the kernel says to a restriction: where it does not take one, no command is started without it.
final class KernelAnswer {
    private KernelAnswer() {}

    static long checked(long result, String call) {
        if (result < 0) {
            throw new Fault(
                    FaultCode.COMMAND_START,
                    "the sandbox of a render cannot be made: " + call + ": " + Errno.text((int) -result));
        }
        return result;
    }
}
