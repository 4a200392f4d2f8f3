package dev.remora.posix;

import java.util.Map;

/// Error numbers of Linux, the same on x86-64 and AArch64, and their text as Argo CD's own server (Go) words it.
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int E2BIG = 7;
    public static final int ENOEXEC = 8;
    public static final int EBADF = 9;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ETXTBSY = 26;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EMLINK = 31;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int EOPNOTSUPP = 95;
    public static final int EDQUOT = 122;

    private static final Map<Integer, String> TEXTS = Map.ofEntries(
            Map.entry(EPERM, "operation not permitted"),
            Map.entry(ENOENT, "no such file or directory"),
            Map.entry(ESRCH, "no such process"),
            Map.entry(EINTR, "interrupted system call"),
            Map.entry(EIO, "input/output error"),
            Map.entry(E2BIG, "argument list too long"),
            Map.entry(ENOEXEC, "exec format error"),
            Map.entry(EBADF, "bad file descriptor"),
            Map.entry(ECHILD, "no child processes"),
            Map.entry(EAGAIN, "resource temporarily unavailable"),
            Map.entry(ENOMEM, "cannot allocate memory"),
            Map.entry(EACCES, "permission denied"),
            Map.entry(EFAULT, "bad address"),
            Map.entry(EBUSY, "device or resource busy"),
            Map.entry(EEXIST, "file exists"),
            Map.entry(EXDEV, "invalid cross-device link"),
            Map.entry(ENOTDIR, "not a directory"),
            Map.entry(EISDIR, "is a directory"),
            Map.entry(EINVAL, "invalid argument"),
            Map.entry(ENFILE, "too many open files in system"),
            Map.entry(EMFILE, "too many open files"),
            Map.entry(ETXTBSY, "text file busy"),
            Map.entry(EFBIG, "file too large"),
            Map.entry(ENOSPC, "no space left on device"),
            Map.entry(EROFS, "read-only file system"),
            Map.entry(EMLINK, "too many links"),
            Map.entry(ENAMETOOLONG, "file name too long"),
            Map.entry(ENOSYS, "function not implemented"),
            Map.entry(ENOTEMPTY, "directory not empty"),
            Map.entry(ELOOP, "too many levels of symbolic links"),
            Map.entry(EOPNOTSUPP, "operation not supported"),
            Map.entry(EDQUOT, "disk quota exceeded"));

    private Errno() {}

    /// `no such file or directory`; `errno 71` for what nobody meets here.
    public static String text(int errno) {
        return TEXTS.getOrDefault(errno, "errno " + errno);
    }
}
