"""Takes more than its share: of a file's size, of memory, of descriptors."""

import mmap
import os
import resource
import time

from attempt import attempt, report

MEBIBYTE = 1 << 20


@attempt("large-file")
def large_file():
    with open("large", "wb") as file:
        for _ in range(16):
            file.write(bytes(MEBIBYTE))
    return os.path.getsize("large")


@attempt("large-file-by-extending")
def large_file_by_extending():
    with open("sparse", "wb") as file:
        file.truncate(64 * MEBIBYTE)
    return os.path.getsize("sparse")


@attempt("much-memory")
def much_memory():
    return len(bytearray(768 * MEBIBYTE))


@attempt("much-mapped-memory")
def much_mapped_memory():
    return len(mmap.mmap(-1, 768 * MEBIBYTE))


@attempt("many-descriptors")
def many_descriptors():
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(200)]
    return len(held)


@attempt("raise-own-limits")
def raise_own_limits():
    """A hard limit that only root may raise."""
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        _, hard = resource.getrlimit(limit)
        resource.setrlimit(limit, (hard, hard + 1 if hard != resource.RLIM_INFINITY else hard))
    return "raised"


@attempt("negative-niceness")
def negative_niceness():
    before = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, before - 1)
    return "faster"


@attempt("much-time")
def much_time():
    """Burns a processor for longer than it may."""
    end = time.process_time() + 2
    while time.process_time() < end:
        pass
    return "2 seconds"


report()
