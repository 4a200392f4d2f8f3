"""What the escape programs share: raw system calls, the targets, and the report.

A program registers attempts; `report()` makes each in a process of its own and prints a ConfigMap whose data holds, for
every attempt, either "done: EVIDENCE" (the attempt had its effect) or "refused: ERRNO", "died: SIGNAL", "late".

TARGETS (or ARGOCD_ENV_TARGETS) is JSON: the processes, paths and addresses to attack. An attacker would have to find
them out; here he is told, so that nothing is safe only for being unknown.
"""

import ctypes
import errno
import json
import os
import platform
import signal
import sys

SECONDS = 10
MOST_BYTES = 4096

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

TARGETS = json.loads(os.environ.get("TARGETS") or os.environ.get("ARGOCD_ENV_TARGETS") or "{}")
ARM = platform.machine() == "aarch64"

# name: (x86-64, AArch64)
NUMBERS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "capset": (126, 91),
    "chroot": (161, 51),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "fsopen": (430, 430),
    "io_uring_enter": (426, 426),
    "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "semget": (64, 190),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "shmat": (30, 196),
    "shmget": (29, 194),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}

_attempts = []


def attempt(name):
    """Registers a function: what it returns is the evidence of success, an OSError is a refusal."""

    def register(function):
        _attempts.append((name, function))
        return function

    return register


def number(name):
    return NUMBERS[name][1 if ARM else 0]


def call(name, *arguments):
    return raw(number(name), *arguments)


def raw(syscall, *arguments):
    """A system call by number; -1 becomes an OSError."""
    words = [word if isinstance(word, (bytes, ctypes.Array, ctypes.Structure)) else ctypes.c_long(word)
             for word in arguments]
    passed = [ctypes.byref(word) if isinstance(word, ctypes.Structure) else word for word in words]
    result = libc.syscall(ctypes.c_long(syscall), *passed)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def address(buffer):
    return ctypes.addressof(buffer)


def target(name):
    return TARGETS[name]


def content(path):
    """The first bytes of a file, as evidence; no bytes are none."""
    with open(path, "rb") as file:
        return evidence(file.read(MOST_BYTES))


def evidence(data):
    if not data:
        raise OSError(errno.ENODATA, "nothing was read")
    return data.decode("latin-1").replace("\0", " ").strip()[:200]


def expect(condition, what):
    """A call that succeeds without its effect is no success of the attempt."""
    if not condition:
        raise OSError(errno.ENODATA, what)
    return what


def of_any_thread(process, function):
    """Does it to every thread of a process by its own number, until one lets it be done. The thread that started us is
    behind our own fence, and so no stranger to us."""
    refused = OSError(errno.ESRCH, "no thread")
    for thread in os.listdir("/proc/%d/task" % process):
        try:
            return function(int(thread))
        except OSError as answer:
            if answer.errno != errno.ESRCH:
                refused = answer
    raise refused


def _made(function):
    try:
        return "done: " + str(function())
    except OSError as refused:
        return "refused: " + errno.errorcode.get(refused.errno or 0, str(refused))
    except MemoryError:
        return "refused: ENOMEM"


def _child(function, end):
    signal.alarm(SECONDS)
    try:
        text = _made(function)
    except BaseException as fault:  # a fault of the program, which the test must see as one
        text = "broken: %s: %s" % (type(fault).__name__, fault)
    os.write(end, text.encode("utf-8", "backslashreplace")[:MOST_BYTES])
    os._exit(0)


def _one(function):
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(here)
        _child(function, there)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        text = pipe.read(MOST_BYTES)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        by = os.WTERMSIG(status)
        return "late" if by == signal.SIGALRM else "died: " + signal.Signals(by).name
    return text.decode()


def report():
    results = {name: _one(function) for name, function in _attempts}
    json.dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "escape"}, "data": results}, sys.stdout)
