package dev.remora.sandbox;

import java.util.OptionalInt;

/// System calls by name, with their numbers on both processors (`<asm/unistd.h>`).
public enum Syscall {
    ACCT(163, 89),
    ADD_KEY(248, 217),
    BIND(49, 200),
    BPF(321, 280),
    CAPGET(125, 90),
    CAPSET(126, 91),
    CHMOD(90, Syscall.NONE),
    CHOWN(92, Syscall.NONE),
    CHROOT(161, 51),
    CLOCK_SETTIME(227, 112),
    CLONE(56, 220),
    CLONE3(435, 435),
    CONNECT(42, 203),
    CREAT(85, Syscall.NONE),
    DELETE_MODULE(176, 106),
    EXECVE(59, 221),
    EXECVEAT(322, 281),
    FANOTIFY_INIT(300, 262),
    FCHMODAT(268, 53),
    FCHMODAT2(452, 452),
    FCHOWNAT(260, 54),
    FINIT_MODULE(313, 273),
    FSCONFIG(431, 431),
    FSMOUNT(432, 432),
    FSOPEN(430, 430),
    FSPICK(433, 433),
    INIT_MODULE(175, 105),
    INOTIFY_ADD_WATCH(254, 27),
    IOCTL(16, 29),
    IOPERM(173, Syscall.NONE),
    IOPL(172, Syscall.NONE),
    IOPRIO_SET(251, 30),
    IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427),
    IO_URING_SETUP(425, 425),
    KCMP(312, 272),
    KEXEC_FILE_LOAD(320, 294),
    KEXEC_LOAD(246, 104),
    KEYCTL(250, 219),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_RESTRICT_SELF(446, 446),
    LCHOWN(94, Syscall.NONE),
    LINK(86, Syscall.NONE),
    LINKAT(265, 37),
    LISTEN(50, 201),
    LOOKUP_DCOOKIE(212, 18),
    LREMOVEXATTR(198, 15),
    LSETXATTR(189, 6),
    MIGRATE_PAGES(256, 238),
    MKDIR(83, Syscall.NONE),
    MKDIRAT(258, 34),
    MKNOD(133, Syscall.NONE),
    MKNODAT(259, 33),
    MODIFY_LDT(154, Syscall.NONE),
    MOUNT(165, 40),
    MOUNT_SETATTR(442, 442),
    MOVE_MOUNT(429, 429),
    MOVE_PAGES(279, 239),
    MQ_OPEN(240, 180),
    MQ_UNLINK(241, 181),
    MSGCTL(71, 187),
    MSGGET(68, 186),
    MSGRCV(70, 188),
    MSGSND(69, 189),
    NAME_TO_HANDLE_AT(303, 264),
    NFSSERVCTL(180, 42),
    OPEN(2, Syscall.NONE),
    OPENAT(257, 56),
    OPENAT2(437, 437),
    OPEN_BY_HANDLE_AT(304, 265),
    OPEN_TREE(428, 428),
    OPEN_TREE_ATTR(467, 467),
    PERF_EVENT_OPEN(298, 241),
    PIDFD_GETFD(438, 438),
    PIVOT_ROOT(155, 41),
    PRLIMIT64(302, 261),
    PROCESS_MADVISE(440, 440),
    PROCESS_MRELEASE(448, 448),
    PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271),
    PTRACE(101, 117),
    QUOTACTL(179, 60),
    QUOTACTL_FD(443, 443),
    REBOOT(169, 142),
    REMOVEXATTR(197, 14),
    REMOVEXATTRAT(466, 466),
    RENAME(82, Syscall.NONE),
    RENAMEAT(264, 38),
    RENAMEAT2(316, 276),
    REQUEST_KEY(249, 218),
    RMDIR(84, Syscall.NONE),
    SCHED_SETAFFINITY(203, 122),
    SCHED_SETATTR(314, 274),
    SCHED_SETPARAM(142, 118),
    SCHED_SETSCHEDULER(144, 119),
    SECCOMP(317, 277),
    SEMCTL(66, 191),
    SEMGET(64, 190),
    SEMOP(65, 193),
    SEMTIMEDOP(220, 192),
    SENDMSG(46, 211),
    SENDTO(44, 206),
    SETDOMAINNAME(171, 162),
    SETHOSTNAME(170, 161),
    SETNS(308, 268),
    SETPRIORITY(141, 140),
    SETTIMEOFDAY(164, 170),
    SETXATTR(188, 5),
    SETXATTRAT(463, 463),
    SHMAT(30, 196),
    SHMCTL(31, 195),
    SHMGET(29, 194),
    SOCKET(41, 198),
    SOCKETPAIR(53, 199),
    SWAPOFF(168, 225),
    SWAPON(167, 224),
    SYMLINK(88, Syscall.NONE),
    SYMLINKAT(266, 36),
    SYSLOG(103, 116),
    TRUNCATE(76, 45),
    UMOUNT2(166, 39),
    UNLINK(87, Syscall.NONE),
    UNLINKAT(263, 35),
    UNSHARE(272, 97),
    USERFAULTFD(323, 282),
    VHANGUP(153, 58);

    private static final int NONE = -1;

    private final int onX86;
    private final int onArm;

    Syscall(int onX86, int onArm) {
        this.onX86 = onX86;
        this.onArm = onArm;
    }

    /// Empty where the processor's kernel has no such call.
    public OptionalInt number(Processor processor) {
        int number = switch (processor) {
            case X86_64 -> onX86;
            case AARCH64 -> onArm;
        };
        return number == NONE ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /// On this machine, for calls that every kernel has a number for.
    long number() {
        return number(Processor.current()).orElseThrow();
    }
}
