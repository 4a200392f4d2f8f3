"""Asks the kernel for more rights, or for parts of it that ordinary programs do not need."""

import ctypes
import os
import struct
import subprocess

from attempt import ARM, address, attempt, call, evidence, expect, libc, raw, report, target

NEW_USER, NEW_MOUNT, NEW_NET, NEW_PID = 0x10000000, 0x00020000, 0x40000000, 0x20000000
NEW_HOST_NAME = 0x04000000
SIGCHLD = 17


def privileged(*namespaces):
    """Root in user and other namespaces of its own, where it may; who may not goes on as he is."""
    try:
        call("unshare", NEW_USER | sum(namespaces))
    except OSError:
        pass


@attempt("unshare-user")
def unshare_user():
    return call("unshare", NEW_USER)


@attempt("unshare-all")
def unshare_all():
    return call("unshare", NEW_USER | NEW_MOUNT | NEW_NET | NEW_PID)


@attempt("unshare-mount")
def unshare_mount():
    return call("unshare", NEW_MOUNT)


def reaped(child):
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "namespace made"


@attempt("clone-user")
def clone_user():
    return reaped(call("clone", NEW_USER | SIGCHLD, 0, 0, 0, 0))


@attempt("clone3-user")
def clone3_user():
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", NEW_USER, 0, 0, 0, SIGCHLD, 0, 0, 0), 64)
    return reaped(call("clone3", address(arguments), 64))


@attempt("join-namespace")
def join_namespace():
    return call("setns", os.open("/proc/%d/ns/mnt" % target("neighbourPid"), os.O_RDONLY), 0)


@attempt("mount")
def mount():
    privileged(NEW_MOUNT)
    os.makedirs("mounted", exist_ok=True)
    return call("mount", b"none", b"mounted", b"tmpfs", 0, 0)


@attempt("umount")
def umount():
    privileged(NEW_MOUNT)
    os.makedirs("mounted-for-umount", exist_ok=True)
    call("mount", b"none", b"mounted-for-umount", b"tmpfs", 0, 0)
    return call("umount2", b"mounted-for-umount", 2)


@attempt("fsopen")
def fsopen():
    privileged(NEW_MOUNT)
    return call("fsopen", b"tmpfs", 0)


@attempt("open-tree")
def open_tree():
    """A detached copy of a mount, free of the paths that rules name."""
    privileged(NEW_MOUNT)
    return call("open_tree", -100, b"/", 0x8001)


@attempt("move-mount")
def move_mount():
    privileged(NEW_MOUNT)
    tree = call("open_tree", -100, os.getcwd().encode(), 1)
    os.makedirs("moved-here", exist_ok=True)
    return call("move_mount", tree, b"", -100, b"moved-here", 4)


@attempt("mount-setattr")
def mount_setattr():
    privileged(NEW_MOUNT)
    attributes = ctypes.create_string_buffer(struct.pack("QQQQ", 1, 0, 0, 0), 32)
    os.makedirs("mounted-for-attributes", exist_ok=True)
    call("mount", b"none", b"mounted-for-attributes", b"tmpfs", 0, 0)
    return call("mount_setattr", -100, b"mounted-for-attributes", 0, address(attributes), 32)


@attempt("chroot")
def chroot():
    privileged(NEW_MOUNT)
    return call("chroot", b".")


@attempt("io-uring")
def io_uring():
    """Its operations pass no system call filter."""
    return call("io_uring_setup", 4, address(ctypes.create_string_buffer(120)))


@attempt("userfaultfd")
def userfaultfd():
    """Holds the kernel at a page of ours; UFFD_USER_MODE_ONLY, which needs no right."""
    return call("userfaultfd", 1)


@attempt("bpf")
def bpf():
    """A map, then a program, each the smallest."""
    attributes = ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1), 128)
    return call("bpf", 0, address(attributes), 128)


@attempt("perf")
def perf():
    """Counts own instructions: what a side channel measures with."""
    attributes = ctypes.create_string_buffer(struct.pack("IIQ", 1, 128, 0) + bytes(24) + struct.pack("Q", 0x63), 128)
    return call("perf_event_open", address(attributes), 0, -1, -1, 0)


@attempt("kernel-log")
def kernel_log():
    buffer = ctypes.create_string_buffer(256)
    return evidence(buffer.raw[:call("syslog", 3, address(buffer), 256)])


@attempt("set-host-name")
def set_host_name():
    privileged(NEW_HOST_NAME)
    return call("sethostname", b"escape", 6)


@attempt("become-root")
def become_root():
    return os.setresuid(0, 0, 0)


@attempt("take-capabilities")
def take_capabilities():
    """All of them, effective, permitted and inheritable."""
    header = ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0), 8)
    data = ctypes.create_string_buffer(struct.pack("IIIIII", *[0xFFFFFFFF] * 6), 24)
    return call("capset", address(header), address(data))


@attempt("setuid-program")
def setuid_program():
    """A program of root with the set-user-id bit: its effective user is root outside."""
    said = subprocess.run([target("setuidProgram"), "-u"], capture_output=True, text=True, check=False).stdout.strip()
    return expect(said == "0", "effective user " + (said or "none"))


@attempt("setuid-helpers")
def setuid_helpers():
    """Those of the system, as far as they are there, such as may do without a password."""
    lines = [["su", "-c", "id -u"], ["sudo", "-n", "id", "-u"], ["newgrp", "root"], ["pkexec", "id", "-u"]]
    said = []
    for line in lines:
        try:
            run = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2, check=False)
            said.append(run.stdout.strip())
        except (FileNotFoundError, subprocess.TimeoutExpired):
            continue
    return expect("0" in said, "said " + repr(said))


def machine_code(code):
    """Runs bytes, and gives what they left in the result register."""
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, 4096, 7, 0x22, -1, 0)
    ctypes.memmove(page, code, len(code))
    result = ctypes.CFUNCTYPE(ctypes.c_int)(page)()
    if result < 0:
        raise OSError(-result, "by machine code")
    return result


@attempt("socket-by-int80")
def socket_by_int80():
    """The 32-bit entry, where numbers mean other calls: 359 is socket(AF_UNIX, SOCK_STREAM, 0)."""
    if ARM:
        raise OSError(38, "no such entry")
    # push rbx; mov eax,359; mov ebx,1; mov ecx,1; xor edx,edx; int 0x80; pop rbx; ret
    return machine_code(bytes.fromhex("53b867010000bb01000000b90100000031d2cd805bc3"))


@attempt("unshare-by-int80")
def unshare_by_int80():
    if ARM:
        raise OSError(38, "no such entry")
    # push rbx; mov eax,310 (unshare); mov ebx,CLONE_NEWUSER; int 0x80; pop rbx; ret
    return machine_code(bytes.fromhex("53b836010000bb00000010cd805bc3"))


@attempt("socket-by-x32")
def socket_by_x32():
    """The x32 entry: the same numbers with a bit set."""
    if ARM:
        raise OSError(38, "no such entry")
    return raw(0x40000000 | 41, 1, 1, 0)


report()
