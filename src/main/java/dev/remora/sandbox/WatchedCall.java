package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileType;
import dev.remora.posix.ProcFile;
import dev.remora.sandbox.Access.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A system call that waits for its supervisor, read into what it would do. Nothing is decided by it, so it does not
/// matter that the program may change its memory before the kernel reads it.
final class WatchedCall {
    /// Those whose meaning lies in their arguments.
    static final List<Syscall> READ = List.of(
            Syscall.OPEN,
            Syscall.OPENAT,
            Syscall.OPENAT2,
            Syscall.CREAT,
            Syscall.EXECVE,
            Syscall.EXECVEAT,
            Syscall.TRUNCATE,
            Syscall.MKDIR,
            Syscall.MKDIRAT,
            Syscall.MKNOD,
            Syscall.MKNODAT,
            Syscall.RMDIR,
            Syscall.UNLINK,
            Syscall.UNLINKAT,
            Syscall.RENAME,
            Syscall.RENAMEAT,
            Syscall.RENAMEAT2,
            Syscall.LINK,
            Syscall.LINKAT,
            Syscall.SYMLINK,
            Syscall.SYMLINKAT,
            Syscall.SOCKET,
            Syscall.CONNECT,
            Syscall.BIND,
            Syscall.SENDTO);

    /// Those that every strict fence refuses, and that a program may come to need.
    static final List<Syscall> FORBIDDEN = List.of(
            Syscall.UNSHARE,
            Syscall.SETNS,
            Syscall.MOUNT,
            Syscall.CHROOT,
            Syscall.PIVOT_ROOT,
            Syscall.PTRACE,
            Syscall.BPF,
            Syscall.PERF_EVENT_OPEN,
            Syscall.USERFAULTFD,
            Syscall.IO_URING_SETUP,
            Syscall.KEYCTL,
            Syscall.ADD_KEY);

    private static final int CWD = -100;
    private static final int ACCESS_MODE = 3;
    private static final int WRITE_ONLY = 1;
    private static final int READ_WRITE = 2;
    private static final int CREATE = 0100;
    private static final int TRUNCATE = 01000;
    private static final int PATH_ONLY = 010000000;
    private static final int UNNAMED = 020000000;
    /// Longer than any socket's address.
    private static final int MOST_ADDRESS = 128;

    private static final int SHEBANG_BYTES = 256;
    private static final Bytes PROC = Bytes.utf8("/proc/");
    private static final Bytes ROOT = Bytes.utf8("/");

    private final WatchedProcess process;
    private final String program;
    private final long[] arguments;
    private final List<Access> found = new ArrayList<>();

    WatchedCall(WatchedProcess process, long[] arguments) {
        this.process = process;
        this.program = process.program();
        this.arguments = arguments.clone();
    }

    List<Access> read(Syscall call) {
        switch (call) {
            case OPEN -> open(CWD, argument(0), argument(1));
            case OPENAT -> open(number(0), argument(1), argument(2));
            case OPENAT2 -> open(number(0), argument(1), process.word(argument(2)));
            case CREAT -> open(CWD, argument(0), CREATE | TRUNCATE | WRITE_ONLY);
            case EXECVE -> execute(CWD, argument(0));
            case EXECVEAT -> execute(number(0), argument(1));
            case TRUNCATE -> existing(Use.WRITE, CWD, argument(0));
            case MKDIR, MKNOD, RMDIR, UNLINK -> change(CWD, argument(0));
            case MKDIRAT, MKNODAT, UNLINKAT -> change(number(0), argument(1));
            case RENAME, LINK -> {
                change(CWD, argument(0));
                change(CWD, argument(1));
            }
            case RENAMEAT, RENAMEAT2, LINKAT -> {
                change(number(0), argument(1));
                change(number(2), argument(3));
            }
            case SYMLINK -> change(CWD, argument(1));
            case SYMLINKAT -> change(number(1), argument(2));
            case SOCKET -> found.add(new Access.Socket(number(0), program));
            case CONNECT -> peer(argument(1), number(2));
            case BIND -> bind(argument(1), number(2));
            case SENDTO -> peer(argument(4), number(5));
            default -> found.add(new Access.Forbidden(call, program));
        }
        return found;
    }

    private long argument(int index) {
        return arguments[index];
    }

    /// Of an `int`, the upper half is undefined.
    private int number(int index) {
        return (int) arguments[index];
    }

    private void open(int folder, long path, long flags) {
        if ((flags & PATH_ONLY) != 0) {
            return;
        }
        Optional<Bytes> asked = asked(folder, path);
        if (asked.isEmpty()) {
            return;
        }
        if ((flags & UNNAMED) == UNNAMED) {
            add(Use.CHANGE, asked.get(), true);
            return;
        }
        long mode = flags & ACCESS_MODE;
        Optional<Bytes> real = WatchedProcess.real(asked.get(), true);
        if (real.isEmpty()) {
            if ((flags & CREATE) != 0) {
                changeParent(asked.get());
            }
            return;
        }
        if (mode == WRITE_ONLY || mode == READ_WRITE || (flags & TRUNCATE) != 0) {
            add(Use.WRITE, asked.get(), true);
        }
        if (mode != WRITE_ONLY) {
            add(isFolder(real.get()) ? Use.LIST : Use.READ, asked.get(), true);
        }
    }

    private static boolean isFolder(Bytes real) {
        try {
            return Directory.statusAt(real).type() == FileType.DIRECTORY;
        } catch (ErrnoException gone) {
            return false;
        }
    }

    /// A script's interpreter is opened by the kernel itself, without a call of its own.
    private void execute(int folder, long path) {
        Optional<Bytes> asked = existing(Use.EXECUTE, folder, path);
        asked.flatMap(script -> ProcFile.text(script.toString(), SHEBANG_BYTES))
                .filter(text -> text.startsWith("#!"))
                .map(text -> text.substring(2).strip().split("[\\s\\n]", 2)[0])
                .filter(interpreter -> interpreter.startsWith("/"))
                .ifPresent(interpreter -> add(Use.EXECUTE, Bytes.utf8(interpreter), true));
    }

    private Optional<Bytes> existing(Use use, int folder, long path) {
        Optional<Bytes> asked = asked(folder, path);
        asked.ifPresent(name -> add(use, name, true));
        return asked;
    }

    private void change(int folder, long path) {
        asked(folder, path).ifPresent(this::changeParent);
    }

    private void changeParent(Bytes asked) {
        int slash = asked.lastIndexOf((byte) '/');
        add(Use.CHANGE, slash <= 0 ? ROOT : asked.slice(0, slash), true);
    }

    /// What `/proc` shows is readable to everyone, and means another thing to a supervisor.
    private Optional<Bytes> asked(int folder, long path) {
        return process.text(path)
                .flatMap(text -> process.absolute(folder, text))
                .filter(absolute -> !absolute.startsWith(PROC));
    }

    private void add(Use use, Bytes asked, boolean follow) {
        WatchedProcess.real(asked, follow).ifPresent(real -> found.add(new Access.File(use, asked, real, program)));
    }

    private void bind(long address, int length) {
        peer(address, length);
        unixPath(address, length).ifPresent(this::changeParent);
    }

    private Optional<Bytes> unixPath(long address, int length) {
        return bytes(address, length).flatMap(SocketAddress::path).flatMap(path -> process.absolute(CWD, path));
    }

    private void peer(long address, int length) {
        Optional<Bytes> bytes = bytes(address, length);
        bytes.flatMap(SocketAddress::text).ifPresent(text -> {
            Optional<Bytes> path = unixPath(address, length);
            boolean there = path.map(name -> WatchedProcess.real(name, true).isPresent())
                    .orElse(true);
            found.add(new Access.Peer(
                    path.map(Bytes::toString).orElse(text), SocketAddress.isUnix(bytes.get()), there, program));
        });
    }

    private Optional<Bytes> bytes(long address, int length) {
        return address == 0 || length < 2 || length > MOST_ADDRESS ? Optional.empty() : process.memory(address, length);
    }
}
