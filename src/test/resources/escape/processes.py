"""Signals, reads, stops, slows and hinders other processes of the same user. Values are chosen so that an attempt that
succeeds outside does no harm: the neighbour counts SIGUSR1 and SIGURG, limits and niceness are set to what they are."""

import ctypes
import fcntl
import os
import resource
import signal
import struct

from attempt import address, attempt, call, evidence, expect, of_any_thread, report, target

PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206


def neighbour():
    return target("neighbourPid")


def info(number):
    """A siginfo_t as sigqueue makes it: SI_QUEUE, our pid and uid."""
    return ctypes.create_string_buffer(
        struct.pack("iiiiiiq", number, 0, -1, 0, os.getpid(), os.getuid(), 7), 128)


@attempt("kill")
def kill():
    return os.kill(neighbour(), signal.SIGUSR1)


@attempt("kill-group")
def kill_group():
    return os.killpg(os.getpgid(neighbour()), signal.SIGUSR1)


@attempt("kill-server")
def kill_server():
    return os.kill(target("serverPid"), signal.SIGURG)


@attempt("kill-starter")
def kill_starter():
    """kill() takes a thread's number for its process's: the thread that started us is in our domain."""
    return of_any_thread(target("serverPid"), lambda thread: os.kill(thread, signal.SIGURG))


@attempt("tgkill-starter")
def tgkill_starter():
    server = target("serverPid")
    return of_any_thread(server, lambda thread: call("tgkill", server, thread, signal.SIGURG))


@attempt("sigqueue-starter")
def sigqueue_starter():
    return of_any_thread(
        target("serverPid"), lambda thread: call("rt_sigqueueinfo", thread, signal.SIGURG, address(info(signal.SIGURG))))


@attempt("pidfd-starter")
def pidfd_starter():
    """PIDFD_THREAD, from Linux 6.9."""
    return of_any_thread(target("serverPid"), lambda thread: call(
        "pidfd_send_signal", call("pidfd_open", thread, os.O_EXCL), signal.SIGURG, 0, 0))


@attempt("owner-starter")
def owner_starter():
    """F_SETOWN_EX to a thread. Whether a signal came then nobody could tell, so the call itself must fail."""
    here, _ = os.pipe()
    return of_any_thread(
        target("serverPid"), lambda thread: fcntl.fcntl(here, 15, struct.pack("ii", 0, thread)) and "owner set")


@attempt("kill-parent")
def kill_parent():
    """Whoever started the command."""
    parent = os.getppid()
    with open("/proc/%d/stat" % parent) as stat:
        grandparent = int(stat.read().rsplit(")", 1)[1].split()[1])
    return os.kill(grandparent, signal.SIGURG)


@attempt("tgkill")
def tgkill():
    return call("tgkill", neighbour(), neighbour(), signal.SIGUSR1)


@attempt("pidfd-signal")
def pidfd_signal():
    return call("pidfd_send_signal", os.pidfd_open(neighbour()), signal.SIGUSR1, 0, 0)


@attempt("sigqueue")
def sigqueue():
    return call("rt_sigqueueinfo", neighbour(), signal.SIGUSR1, address(info(signal.SIGUSR1)))


@attempt("sigqueue-thread")
def sigqueue_thread():
    return call("rt_tgsigqueueinfo", neighbour(), neighbour(), signal.SIGUSR1, address(info(signal.SIGUSR1)))


def pending():
    """The signals that wait for the neighbour, which blocks SIGUSR2 for good; anybody may read that."""
    with open("/proc/%d/status" % neighbour()) as status:
        return next(line.split()[1] for line in status if line.startswith("ShdPnd"))


@attempt("owner-of-a-pipe")
def owner_of_a_pipe():
    """F_SETOWN: the kernel sends SIGUSR2 to the neighbour when our pipe has data. The call itself never fails."""
    here, there = os.pipe()
    fcntl.fcntl(here, fcntl.F_SETOWN, neighbour())
    fcntl.fcntl(here, 10, signal.SIGUSR2)  # F_SETSIG
    fcntl.fcntl(here, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(there, b"x")
    return expect(int(pending(), 16) & 1 << (signal.SIGUSR2 - 1), "the signal is there")


@attempt("ptrace-attach")
def ptrace_attach():
    call("ptrace", PTRACE_ATTACH, neighbour(), 0, 0)
    os.waitpid(neighbour(), 0x40000000)
    call("ptrace", PTRACE_DETACH, neighbour(), 0, 0)
    return "attached"


@attempt("ptrace-seize")
def ptrace_seize():
    return call("ptrace", PTRACE_SEIZE, neighbour(), 0, 0)


def vectors(buffer):
    """Two iovecs: our buffer and the neighbour's secret, whose address it tells in its command line's end."""
    mine = ctypes.create_string_buffer(struct.pack("QQ", address(buffer), 16), 16)
    theirs = ctypes.create_string_buffer(struct.pack("QQ", target("neighbourAddress"), 16), 16)
    return mine, theirs


@attempt("read-memory")
def read_memory():
    buffer = ctypes.create_string_buffer(16)
    mine, theirs = vectors(buffer)
    call("process_vm_readv", neighbour(), address(mine), 1, address(theirs), 1, 0)
    return evidence(buffer.raw)


@attempt("write-memory")
def write_memory():
    buffer = ctypes.create_string_buffer(b"top secret words", 16)
    mine, theirs = vectors(buffer)
    return call("process_vm_writev", neighbour(), address(mine), 1, address(theirs), 1, 0)


@attempt("steal-descriptor")
def steal_descriptor():
    return call("pidfd_getfd", os.pidfd_open(neighbour()), 1, 0)


@attempt("steal-server-descriptor")
def steal_server_descriptor():
    return call("pidfd_getfd", os.pidfd_open(target("serverPid")), 1, 0)


@attempt("compare-processes")
def compare_processes():
    return call("kcmp", os.getpid(), neighbour(), 1, 0, 0)


@attempt("limit-neighbour")
def limit_neighbour():
    """RLIMIT_CPU of one second would end it."""
    before = resource.prlimit(neighbour(), resource.RLIMIT_CORE)
    resource.prlimit(neighbour(), resource.RLIMIT_CORE, before)
    return "limit set"


@attempt("limit-server")
def limit_server():
    before = resource.prlimit(target("serverPid"), resource.RLIMIT_CORE)
    resource.prlimit(target("serverPid"), resource.RLIMIT_CORE, before)
    return "limit set"


@attempt("slow-by-nice")
def slow_by_nice():
    pid = target("serverPid")
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid))
    return "niceness set"


@attempt("slow-all-by-nice")
def slow_all_by_nice():
    """Every process of the user at once; to the niceness that this process has, which is that of all."""
    os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_PROCESS, 0))
    return "niceness set"


@attempt("slow-by-affinity")
def slow_by_affinity():
    os.sched_setaffinity(target("serverPid"), os.sched_getaffinity(target("serverPid")))
    return "processors set"


@attempt("slow-by-scheduler")
def slow_by_scheduler():
    pid = target("serverPid")
    os.sched_setscheduler(pid, os.sched_getscheduler(pid), os.sched_param(0))
    return "policy set"


@attempt("slow-by-disk-priority")
def slow_by_disk_priority():
    return call("ioprio_set", 1, target("serverPid"), 0)


@attempt("move-pages")
def move_pages():
    return call("move_pages", neighbour(), 0, 0, 0, 0, 0)


@attempt("profile")
def profile():
    attributes = ctypes.create_string_buffer(struct.pack("IIQ", 1, 128, 1), 128)
    return call("perf_event_open", address(attributes), neighbour(), -1, -1, 0)


@attempt("join-group")
def join_group():
    """A place in the neighbour's process group, to be signalled with it."""
    return os.setpgid(0, os.getpgid(neighbour()))


def shared_name():
    return target("victimKey")


@attempt("system-v-memory")
def system_v_memory():
    """A segment of another process: any process of the user may attach it."""
    segment = call("shmget", shared_name(), 16, 0)
    at = call("shmat", segment, 0, 0)
    return evidence(ctypes.string_at(at, 16))


@attempt("system-v-queue")
def system_v_queue():
    return call("msgget", shared_name(), 0)


@attempt("system-v-semaphore")
def system_v_semaphore():
    return call("semget", shared_name(), 1, 0)


@attempt("message-queue")
def message_queue():
    return call("mq_open", target("victimQueue").encode(), os.O_RDWR, 0, 0)


@attempt("posix-memory")
def posix_memory():
    with open("/dev/shm/" + target("victimMemory"), "rb") as file:
        return evidence(file.read(64))


@attempt("read-key")
def read_key():
    """A key in the user's keyring, which all his processes share."""
    key = call("keyctl", 10, -4, b"user", target("victimKeyName").encode(), 0)
    buffer = ctypes.create_string_buffer(64)
    got = call("keyctl", 11, key, address(buffer), 64)
    return evidence(buffer.raw[:got])


@attempt("add-key")
def add_key():
    return call("add_key", b"user", b"escape", b"x", 1, -4)


@attempt("type-on-terminal")
def type_on_terminal():
    """TIOCSTI: a line typed into somebody's terminal."""
    os.setsid()
    terminal = os.open(target("victimTerminal"), os.O_RDWR)
    fcntl.ioctl(terminal, 0x540E, 0)  # TIOCSCTTY
    fcntl.ioctl(terminal, 0x5412, b"x")  # TIOCSTI
    return "typed"


report()
