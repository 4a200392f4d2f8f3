package dev.remora.posix;

import java.util.List;

/// Signal numbers of Linux, and what people and Argo CD's own server (Go) call them.
public final class Signal {
    public static final int PROBE = 0;
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;
    public static final int SIGSTOP = 19;
    public static final int SIGXCPU = 24;
    public static final int SIGXFSZ = 25;

    private static final List<String> NAMES = List.of(
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
            "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
            "WINCH", "IO", "PWR", "SYS");

    /// Go has words for the first fifteen.
    private static final List<String> GO_TEXTS = List.of(
            "hangup",
            "interrupt",
            "quit",
            "illegal instruction",
            "trace/breakpoint trap",
            "aborted",
            "bus error",
            "floating point exception",
            "killed",
            "user defined signal 1",
            "segmentation fault",
            "user defined signal 2",
            "broken pipe",
            "alarm clock",
            "terminated");

    private Signal() {}

    /// `SIGKILL`, or `signal 40`.
    public static String name(int signal) {
        return signal >= 1 && signal <= NAMES.size() ? "SIG" + NAMES.get(signal - 1) : "signal " + signal;
    }

    /// `killed`, or `signal 40`.
    public static String goText(int signal) {
        return signal >= 1 && signal <= GO_TEXTS.size() ? GO_TEXTS.get(signal - 1) : "signal " + signal;
    }
}
