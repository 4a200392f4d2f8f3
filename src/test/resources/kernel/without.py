"""Runs a command on a kernel that seems to be older: without.py NAME[,NAME...] COMMAND [ARGUMENT...]

The named parts are answered as a kernel answers that does not have them: "function not implemented".
"""
import ctypes
import os
import platform
import struct
import sys

ENOSYS = 38
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
FILTER = 2
# By machine: the architecture's number in struct seccomp_data, then the numbers of the calls.
MACHINES = {
    "x86_64": (0xC000003E, {"landlock": [444, 445, 446], "seccomp": [317]}),
    "aarch64": (0xC00000B7, {"landlock": [444, 445, 446], "seccomp": [277]}),
}
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def instruction(code, when_true, when_false, value):
    return struct.pack("HBBI", code, when_true, when_false, value)


def program(architecture, calls):
    code = [
        instruction(LOAD, 0, 0, 4),
        instruction(EQUAL, 1, 0, architecture),
        instruction(RETURN, 0, 0, ALLOW),
        instruction(LOAD, 0, 0, 0),
    ]
    for call in calls:
        code.append(instruction(EQUAL, 0, 1, call))
        code.append(instruction(RETURN, 0, 0, ERRNO | ENOSYS))
    code.append(instruction(RETURN, 0, 0, ALLOW))
    return b"".join(code), len(code)


def main():
    architecture, numbers = MACHINES[platform.machine()]
    calls = [call for name in sys.argv[1].split(",") for call in numbers[name]]
    code, length = program(architecture, calls)
    kept = ctypes.create_string_buffer(code, len(code))
    pointer = ctypes.create_string_buffer(struct.pack("HxxxxxxP", length, ctypes.addressof(kept)))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, FILTER, ctypes.addressof(pointer), 0, 0)):
        if libc.prctl(*map(ctypes.c_ulong, arguments)) != 0:
            sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
    os.execvp(sys.argv[2], sys.argv[2:])


main()
