package dev.remora.sandbox;

import dev.remora.posix.Errno;
import dev.remora.sandbox.SeccompRule.Action;
import dev.remora.sandbox.SeccompRule.Test;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Which system calls a fence forbids: those that reach other processes, make namespaces or mounts, talk to parts of
/// the kernel that no renderer needs, or make sockets that it may not have.
///
/// A refusal is an error that programs know: EPERM, as without the capability; EACCES for sockets, so that it reads
/// "permission denied"; ENOSYS for `clone3`, whose flags lie in memory that a filter cannot see: the C library then
/// calls `clone`, whose flags it can.
final class FenceFilter {
    private static final int UNIX = 1;
    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;
    private static final int FAMILY_ARGUMENT = 0;
    private static final int PROTOCOL_ARGUMENT = 2;

    /// `CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET`.
    private static final int NAMESPACES = 0x7E020000;

    /// Characters put into a terminal as if they were typed.
    private static final int TIOCSTI = 0x5412;

    private static final int TIOCLINUX = 0x541C;
    /// Whom a socket signals, by a number in memory.
    private static final int FIOSETOWN = 0x8901;

    private static final int SIOCSPGRP = 0x8902;
    private static final int IOCTL_ARGUMENT = 1;

    private static final List<Syscall> OTHER_PROCESSES = List.of(
            Syscall.PTRACE,
            Syscall.PROCESS_VM_READV,
            Syscall.PROCESS_VM_WRITEV,
            Syscall.PROCESS_MADVISE,
            Syscall.PROCESS_MRELEASE,
            Syscall.KCMP,
            Syscall.PIDFD_GETFD,
            Syscall.MOVE_PAGES,
            Syscall.MIGRATE_PAGES);

    /// Landlock has no say about these: any process of the user may be slowed, or ended by a limit. The first argument
    /// is a process, 0 the caller.
    private static final List<Syscall> OF_OTHERS_BY_NUMBER =
            List.of(Syscall.PRLIMIT64, Syscall.SCHED_SETSCHEDULER, Syscall.SCHED_SETPARAM, Syscall.SCHED_SETATTR);

    /// Numbers instead of paths, which all processes of the user share.
    private static final List<Syscall> SHARED_BY_NUMBER = List.of(
            Syscall.SHMGET,
            Syscall.SHMAT,
            Syscall.SHMCTL,
            Syscall.SEMGET,
            Syscall.SEMOP,
            Syscall.SEMTIMEDOP,
            Syscall.SEMCTL,
            Syscall.MSGGET,
            Syscall.MSGSND,
            Syscall.MSGRCV,
            Syscall.MSGCTL,
            Syscall.MQ_OPEN,
            Syscall.MQ_UNLINK,
            Syscall.INOTIFY_ADD_WATCH);

    /// By path, of any file of the user. Nobody gives files away without a capability.
    private static final List<Syscall> OWNERS = List.of(Syscall.CHOWN, Syscall.LCHOWN, Syscall.FCHOWNAT);

    /// Of any file of the user whose path he knows or that he may read. Many file systems have none, and programs know
    /// that answer.
    private static final List<Syscall> ATTRIBUTES = List.of(
            Syscall.SETXATTR,
            Syscall.LSETXATTR,
            Syscall.FSETXATTR,
            Syscall.SETXATTRAT,
            Syscall.REMOVEXATTR,
            Syscall.LREMOVEXATTR,
            Syscall.FREMOVEXATTR,
            Syscall.REMOVEXATTRAT);

    private static final int PRIO_PROCESS = 0;
    private static final int IOPRIO_WHO_PROCESS = 1;
    private static final int STREAM = 1;
    private static final int SEQUENCED = 5;
    private static final int NON_BLOCKING = 0x800;
    private static final int CLOSE_ON_EXEC = 0x80000;

    /// Types of pairs that stay among themselves; an end of a pair of datagrams may be sent anywhere, by path.
    private static final List<Integer> CONNECTED_TYPES = Stream.of(STREAM, SEQUENCED)
            .flatMap(type -> Stream.of(0, NON_BLOCKING, CLOSE_ON_EXEC, NON_BLOCKING | CLOSE_ON_EXEC)
                    .map(flags -> type | flags))
            .toList();

    private static final List<Syscall> MOUNTS_AND_NAMESPACES = List.of(
            Syscall.UNSHARE,
            Syscall.SETNS,
            Syscall.MOUNT,
            Syscall.UMOUNT2,
            Syscall.PIVOT_ROOT,
            Syscall.CHROOT,
            Syscall.OPEN_TREE,
            Syscall.OPEN_TREE_ATTR,
            Syscall.MOVE_MOUNT,
            Syscall.MOUNT_SETATTR,
            Syscall.FSOPEN,
            Syscall.FSCONFIG,
            Syscall.FSMOUNT,
            Syscall.FSPICK,
            Syscall.NAME_TO_HANDLE_AT,
            Syscall.OPEN_BY_HANDLE_AT,
            Syscall.QUOTACTL,
            Syscall.QUOTACTL_FD,
            Syscall.FANOTIFY_INIT);

    private static final List<Syscall> KERNEL = List.of(
            Syscall.IO_URING_SETUP,
            Syscall.IO_URING_ENTER,
            Syscall.IO_URING_REGISTER,
            Syscall.USERFAULTFD,
            Syscall.BPF,
            Syscall.PERF_EVENT_OPEN,
            Syscall.ADD_KEY,
            Syscall.REQUEST_KEY,
            Syscall.KEYCTL,
            Syscall.KEXEC_LOAD,
            Syscall.KEXEC_FILE_LOAD,
            Syscall.INIT_MODULE,
            Syscall.FINIT_MODULE,
            Syscall.DELETE_MODULE,
            Syscall.SWAPON,
            Syscall.SWAPOFF,
            Syscall.REBOOT,
            Syscall.ACCT,
            Syscall.SETTIMEOFDAY,
            Syscall.CLOCK_SETTIME,
            Syscall.SETHOSTNAME,
            Syscall.SETDOMAINNAME,
            Syscall.SYSLOG,
            Syscall.VHANGUP,
            Syscall.IOPL,
            Syscall.IOPERM,
            Syscall.MODIFY_LDT,
            Syscall.LOOKUP_DCOOKIE,
            Syscall.NFSSERVCTL);

    private FenceFilter() {}

    static SeccompProgram program(Processor processor, Fence fence) {
        return SeccompProgram.of(processor, rules(fence));
    }

    /// Also for diagnosis, which puts rules of its own before them.
    static List<SeccompRule> rules(Fence fence) {
        return switch (fence) {
            case Fence.Open _, Fence.Watched _ -> List.of();
            case Fence.Compatible _ -> rules(List.of(UNIX, INET, INET6, NETLINK), List.of());
            case Fence.Strict strict -> strict(strict);
        };
    }

    private static List<SeccompRule> strict(Fence.Strict fence) {
        List<SeccompRule> rules = new ArrayList<>(rules(families(fence), SHARED_BY_NUMBER));
        rules.add(ofOthers(Syscall.SCHED_SETAFFINITY, 0, 0));
        InodeGate.CALLS.forEach(call -> rules.add(SeccompRule.always(call, Action.NOTIFY)));
        OWNERS.forEach(call -> rules.add(SeccompRule.always(call, Action.refuse(Errno.EPERM))));
        ATTRIBUTES.forEach(call -> rules.add(SeccompRule.always(call, Action.refuse(Errno.EOPNOTSUPP))));
        if (!fence.unixSockets()) {
            rules.add(new SeccompRule(
                    Syscall.SOCKETPAIR, List.of(new Test.NotAmong(1, CONNECTED_TYPES)), Action.refuse(Errno.EACCES)));
        }
        return rules;
    }

    /// The call where its argument is not the one that means the caller himself.
    private static SeccompRule ofOthers(Syscall call, int argument, int himself) {
        return new SeccompRule(
                call, List.of(new Test.NotAmong(argument, List.of(himself))), Action.refuse(Errno.EPERM));
    }

    private static List<Integer> families(Fence.Strict fence) {
        List<Integer> families = new ArrayList<>();
        if (fence.unixSockets()) {
            families.add(UNIX);
        }
        if (fence.network() == Fence.Network.ANY) {
            families.addAll(List.of(INET, INET6, NETLINK));
        }
        return families;
    }

    private static List<SeccompRule> rules(List<Integer> families, List<Syscall> more) {
        Action notPermitted = Action.refuse(Errno.EPERM);
        List<SeccompRule> rules = new ArrayList<>();
        rules.add(SeccompRule.always(Syscall.CLONE3, Action.refuse(Errno.ENOSYS)));
        rules.add(new SeccompRule(Syscall.CLONE, List.of(new Test.AnyBit(0, NAMESPACES)), notPermitted));
        rules.add(new SeccompRule(
                Syscall.IOCTL,
                List.of(new Test.Among(IOCTL_ARGUMENT, List.of(TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP))),
                notPermitted));
        Stream.of(OTHER_PROCESSES, MOUNTS_AND_NAMESPACES, KERNEL, more)
                .flatMap(List::stream)
                .map(call -> SeccompRule.always(call, notPermitted))
                .forEach(rules::add);
        OF_OTHERS_BY_NUMBER.forEach(call -> rules.add(ofOthers(call, 0, 0)));
        rules.add(ofOthers(Syscall.SETPRIORITY, 0, PRIO_PROCESS));
        rules.add(ofOthers(Syscall.SETPRIORITY, 1, 0));
        rules.add(ofOthers(Syscall.IOPRIO_SET, 0, IOPRIO_WHO_PROCESS));
        rules.add(ofOthers(Syscall.IOPRIO_SET, 1, 0));
        rules.addAll(sockets(families));
        return rules;
    }

    /// `socketpair` stays, for what is connected: its ends reach nobody else.
    private static List<SeccompRule> sockets(List<Integer> families) {
        Action denied = Action.refuse(Errno.EACCES);
        if (families.isEmpty()) {
            return List.of(SeccompRule.always(Syscall.SOCKET, denied));
        }
        SeccompRule others =
                new SeccompRule(Syscall.SOCKET, List.of(new Test.NotAmong(FAMILY_ARGUMENT, families)), denied);
        if (!families.contains(NETLINK)) {
            return List.of(others);
        }
        // The C library asks for the machine's addresses there before it resolves a name.
        SeccompRule routesOnly = new SeccompRule(
                Syscall.SOCKET,
                List.of(
                        new Test.Among(FAMILY_ARGUMENT, List.of(NETLINK)),
                        new Test.NotAmong(PROTOCOL_ARGUMENT, List.of(NETLINK_ROUTE))),
                denied);
        return List.of(others, routesOnly);
    }
}
