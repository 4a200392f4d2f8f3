package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.CFunction;
import dev.remora.posix.Errno;
import dev.remora.posix.Libc;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Why a command did not start, in Go's words and in better ones (docs/spec/processes.md, "When it does not start").
final class StartFailure {
    /// The kernel's bound on one argument or variable, with its NUL: 32 pages.
    static final int LONGEST_STRING = 131_071;

    private StartFailure() {}

    /// What Go refuses before it asks the kernel.
    static Optional<Outcome> beforeStart(Command command, Bytes program) {
        Optional<Bytes> variable =
                command.environment().stream().filter(StartFailure::hasNul).findFirst();
        if (variable.isPresent()) {
            String detail = "the variable " + nameOf(variable.get()) + " holds a NUL byte";
            return Optional.of(notStarted("exec: environment variable contains NUL", Optional.of(detail), 0));
        }
        boolean nul = hasNul(program)
                || hasNul(command.directory())
                || command.argv().stream().anyMatch(StartFailure::hasNul);
        return nul ? Optional.of(ofErrno(command, program, Errno.EINVAL)) : Optional.empty();
    }

    static Outcome notStarted(String cause, Optional<String> detail, int errno) {
        return new Outcome.NotStarted(cause, detail, errno, Captured.NOTHING);
    }

    static Outcome ofErrno(Command command, Bytes program, int errno) {
        String cause = "fork/exec " + program + ": " + Errno.text(errno);
        return notStarted(cause, detail(command, program, errno), errno);
    }

    private static Optional<String> detail(Command command, Bytes program, int errno) {
        return switch (errno) {
            case Errno.E2BIG -> Optional.of(tooLong(command));
            case Errno.EINVAL -> Optional.of("a NUL byte in the program, its arguments or its folder");
            case Errno.ENOENT, Errno.ENOTDIR, Errno.EACCES, Errno.ENAMETOOLONG, Errno.ELOOP ->
                folderError(command.directory())
                        .map(error -> "the folder " + command.directory() + " cannot be entered: " + error)
                        .or(() -> scriptDetail(command, program, errno));
            case Errno.ENOEXEC -> Optional.of("it is neither a program nor a script with a first line #!");
            case Errno.EAGAIN -> Optional.of("no more processes may be started; look at the limits of processes");
            default -> Optional.empty();
        };
    }

    private static Optional<String> folderError(Bytes folder) {
        try (Libc libc = Libc.open()) {
            long result = libc.call(CFunction.EACCESS, libc.string(folder.slash(Bytes.utf8("."))), 1);
            return result == 0 ? Optional.empty() : Optional.of(Errno.text((int) -result));
        }
    }

    /// The program is there: then it is a script whose interpreter is missing, or a binary without its loader.
    private static Optional<String> scriptDetail(Command command, Bytes program, int errno) {
        if (errno != Errno.ENOENT) {
            return Optional.empty();
        }
        Bytes path = program.at(0) == '/' ? program : command.directory().slash(program);
        try (Libc libc = Libc.open()) {
            return libc.call(CFunction.EACCESS, libc.string(path), 0) == 0
                    ? Optional.of("the file is there, but the interpreter of its first line or its loader is not")
                    : Optional.empty();
        }
    }

    private static String tooLong(Command command) {
        Comparator<Bytes> byLength = Comparator.comparingInt(Bytes::length);
        Optional<Bytes> variable =
                command.environment().stream().max(byLength).filter(entry -> entry.length() > LONGEST_STRING);
        if (variable.isPresent()) {
            return "the variable " + nameOf(variable.get()) + " has "
                    + variable.get().length() + " bytes with its name; the kernel allows " + LONGEST_STRING;
        }
        Optional<Bytes> argument = command.argv().stream().max(byLength).filter(each -> each.length() > LONGEST_STRING);
        if (argument.isPresent()) {
            return "argument " + command.argv().indexOf(argument.get()) + " has "
                    + argument.get().length() + " bytes; the kernel allows " + LONGEST_STRING;
        }
        long all = Stream.concat(command.argv().stream(), command.environment().stream())
                .mapToLong(each -> each.length() + 1L)
                .sum();
        return "arguments and variables have " + all + " bytes in all";
    }

    private static boolean hasNul(Bytes value) {
        return value.indexOf((byte) 0, 0) >= 0;
    }

    private static String nameOf(Bytes entry) {
        int end = entry.indexOf((byte) '=', 0);
        return (end < 0 ? entry : entry.slice(0, end)).toString();
    }
}
