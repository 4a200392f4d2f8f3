package dev.remora.sandbox;

import dev.remora.posix.Errno;
import dev.remora.sandbox.SeccompRule.Action;
import dev.remora.sandbox.SeccompRule.Test;
import java.util.ArrayList;
import java.util.List;

/// The thread that enters a fence and starts a render's commands, protected from them.
///
/// It is in their domain, so the domain refuses them nothing about it; and the kernel takes the number of a thread for
/// that of its whole process: `kill(thread)` would end the server. So the filter knows this one number, and the
/// server's. (Reading the server's memory by the thread's number is what [dev.remora.posix.Processes#hideMemory]
/// refuses.)
///
/// @param thread as the kernel numbers it
/// @param process its process
record Starter(int thread, int process) {
    private static final int SET_OWNER = 8;
    private static final int SET_OWNER_EX = 15;
    private static final int FCNTL_COMMAND = 1;
    private static final int FCNTL_ARGUMENT = 2;

    private static final List<Syscall> BY_THREAD =
            List.of(Syscall.KILL, Syscall.TKILL, Syscall.RT_SIGQUEUEINFO, Syscall.PIDFD_OPEN);
    private static final List<Syscall> BY_PROCESS = List.of(Syscall.TGKILL, Syscall.RT_TGSIGQUEUEINFO);

    List<SeccompRule> rules() {
        Action refused = Action.refuse(Errno.EPERM);
        List<SeccompRule> rules = new ArrayList<>();
        BY_THREAD.forEach(call ->
                rules.add(new SeccompRule(call, List.of(new Test.Among(0, List.of(thread, -thread))), refused)));
        BY_PROCESS.forEach(call ->
                rules.add(new SeccompRule(call, List.of(new Test.Among(0, List.of(process))), refused)));
        // Whom a descriptor signals: by number, or by a structure, which a filter cannot see.
        rules.add(new SeccompRule(
                Syscall.FCNTL,
                List.of(
                        new Test.Among(FCNTL_COMMAND, List.of(SET_OWNER)),
                        new Test.Among(FCNTL_ARGUMENT, List.of(thread, -thread))),
                refused));
        rules.add(
                new SeccompRule(Syscall.FCNTL, List.of(new Test.Among(FCNTL_COMMAND, List.of(SET_OWNER_EX))), refused));
        return rules;
    }

    /// All that a fence's filter says, for what this thread starts.
    SeccompProgram program(SeccompProgram fence) {
        return fence.behind(rules());
    }
}
