package dev.remora.posix;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The functions of the C library that we call, each under its prototype. Their addresses are looked up once, when
/// this type is first touched; what a C library does not have is listed by [#missing] and never called.
public enum CFunction {
    /// `int chmod(const char *path, mode_t mode)`
    CHMOD("chmod"),
    /// `int eaccess(const char *path, int mode)`: by the effective user, where `access` asks for the real one
    EACCESS("eaccess"),
    /// `int close(int fd)`
    CLOSE("close"),
    /// `int eventfd(unsigned int initial, int flags)`
    EVENTFD("eventfd"),
    /// `int fchmod(int fd, mode_t mode)`
    FCHMOD("fchmod"),
    /// `int fcntl(int fd, int command, ...)`
    FCNTL("fcntl"),
    /// `ssize_t flistxattr(int fd, char *list, size_t size)`
    FLISTXATTR("flistxattr", true),
    /// `int flock(int fd, int operation)`
    FLOCK("flock"),
    /// `int fstatfs(int fd, struct statfs *)`
    FSTATFS("fstatfs"),
    /// `int ftruncate(int fd, off_t length)`
    FTRUNCATE("ftruncate"),
    /// `ssize_t getdents64(int fd, void *buffer, size_t length)`
    GETDENTS64("getdents64", true),
    /// `uid_t geteuid(void)`
    GETEUID("geteuid"),
    /// `pid_t gettid(void)`
    GETTID("gettid"),
    /// `int ioctl(int fd, unsigned long request, ...)`
    IOCTL("ioctl"),
    /// `int inotify_add_watch(int fd, const char *path, uint32_t mask)`
    INOTIFY_ADD_WATCH("inotify_add_watch"),
    /// `int inotify_init1(int flags)`
    INOTIFY_INIT1("inotify_init1"),
    /// `int kill(pid_t pid, int signal)`
    KILL("kill"),
    /// `off_t lseek(int fd, off_t offset, int whence)`
    LSEEK("lseek", true),
    /// `void *mmap(void *where, size_t length, int protection, int flags, int fd, off_t offset)`
    MMAP("mmap", true),
    /// `int munmap(void *address, size_t length)`
    MUNMAP("munmap"),
    /// `int mkdirat(int directory, const char *path, mode_t mode)`
    MKDIRAT("mkdirat"),
    /// `int open(const char *path, int flags, mode_t mode)`
    OPEN("open"),
    /// `int openat(int directory, const char *path, int flags, mode_t mode)`
    OPENAT("openat"),
    /// `int pipe2(int fds[2], int flags)`
    PIPE2("pipe2"),
    /// `int poll(struct pollfd *fds, nfds_t count, int milliseconds)`
    POLL("poll"),
    /// `int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
    /// char *const argv[], char *const envp[])`, which returns its error instead of setting errno
    POSIX_SPAWN("posix_spawn"),
    /// `int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *path)`
    SPAWN_ADD_CHDIR("posix_spawn_file_actions_addchdir_np"),
    /// `int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int from)`, glibc 2.34
    SPAWN_ADD_CLOSEFROM("posix_spawn_file_actions_addclosefrom_np"),
    /// `int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int fd, int newFd)`
    SPAWN_ADD_DUP2("posix_spawn_file_actions_adddup2"),
    /// `int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int fd, const char *path, int flags,
    /// mode_t mode)`
    SPAWN_ADD_OPEN("posix_spawn_file_actions_addopen"),
    /// `int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *)`
    SPAWN_ACTIONS_DESTROY("posix_spawn_file_actions_destroy"),
    /// `int posix_spawn_file_actions_init(posix_spawn_file_actions_t *)`
    SPAWN_ACTIONS_INIT("posix_spawn_file_actions_init"),
    /// `int posix_spawnattr_destroy(posix_spawnattr_t *)`
    SPAWN_ATTR_DESTROY("posix_spawnattr_destroy"),
    /// `int posix_spawnattr_init(posix_spawnattr_t *)`
    SPAWN_ATTR_INIT("posix_spawnattr_init"),
    /// `int posix_spawnattr_setflags(posix_spawnattr_t *, short flags)`
    SPAWN_ATTR_FLAGS("posix_spawnattr_setflags"),
    /// `int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *)`
    SPAWN_ATTR_SIGDEFAULT("posix_spawnattr_setsigdefault"),
    /// `int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *)`
    SPAWN_ATTR_SIGMASK("posix_spawnattr_setsigmask"),
    /// `int prctl(int option, unsigned long, unsigned long, unsigned long, unsigned long)`
    PRCTL("prctl"),
    /// `ssize_t pread(int fd, void *buffer, size_t count, off_t offset)`
    PREAD("pread", true),
    /// `int prlimit(pid_t pid, int resource, const struct rlimit *new, struct rlimit *old)`
    PRLIMIT("prlimit"),
    /// `ssize_t read(int fd, void *buffer, size_t count)`
    READ("read", true),
    /// `ssize_t readlinkat(int directory, const char *path, char *buffer, size_t size)`
    READLINKAT("readlinkat", true),
    /// `int renameat(int from, const char *path, int to, const char *newPath)`
    RENAMEAT("renameat"),
    /// `int setpriority(int which, id_t who, int nice)`
    SETPRIORITY("setpriority"),
    /// `int statx(int directory, const char *path, int flags, unsigned int mask, struct statx *)`
    STATX("statx"),
    /// `int symlinkat(const char *text, int directory, const char *path)`
    SYMLINKAT("symlinkat"),
    /// `long syscall(long number, ...)`, for calls without a function of their own
    SYSCALL("syscall", true),
    /// `int unlinkat(int directory, const char *path, int flags)`
    UNLINKAT("unlinkat"),
    /// `int utimensat(int directory, const char *path, const struct timespec times[2], int flags)`
    UTIMENSAT("utimensat"),
    /// `pid_t waitpid(pid_t pid, int *status, int options)`
    WAITPID("waitpid"),
    /// `ssize_t write(int fd, const void *buffer, size_t count)`
    WRITE("write", true);

    private final String symbol;
    private final boolean returnsLong;

    @SuppressWarnings("ImmutableEnumChecker") // an address without memory behind it
    private final MemorySegment address;

    CFunction(String symbol) {
        this(symbol, false);
    }

    CFunction(String symbol, boolean returnsLong) {
        this.symbol = symbol;
        this.returnsLong = returnsLong;
        this.address = Linker.nativeLinker().defaultLookup().find(symbol).orElse(MemorySegment.NULL);
    }

    MemorySegment address() {
        return address;
    }

    /// Whether all 64 bits of the result count; of an `int` the upper half is undefined.
    boolean returnsLong() {
        return returnsLong;
    }

    /// The functions that this system's C library lacks.
    static List<String> missing() {
        return Arrays.stream(values())
                .filter(function -> function.address.equals(MemorySegment.NULL))
                .map(function -> function.symbol)
                .toList();
    }
}
