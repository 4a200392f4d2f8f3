"""Takes 200 MiB in every way there is, and tells which the kernel refused."""
import ctypes
import os
import threading

SIZE = 200 << 20
READ, WRITE = 1, 2
SHARED, PRIVATE, ANONYMOUS = 0x01, 0x02, 0x20

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
FAILED = ctypes.c_void_p(-1).value


def mapped(protection, flags, file=-1):
    if libc.mmap(None, SIZE, protection, flags, file, 0) == FAILED:
        raise OSError(ctypes.get_errno(), "mmap")


def in_memory_file():
    file = os.memfd_create("file")
    for _ in range(SIZE >> 20):
        os.write(file, bytes(1 << 20))


def stack():
    threading.stack_size(SIZE)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


big = os.open("big", os.O_RDWR | os.O_CREAT)
os.ftruncate(big, SIZE)
for name, attempt in (
    ("heap", lambda: bytearray(SIZE)),
    ("private anonymous mapping", lambda: mapped(READ | WRITE, PRIVATE | ANONYMOUS)),
    ("private writable mapping of a file", lambda: mapped(READ | WRITE, PRIVATE, big)),
    ("stack of a thread", stack),
    ("reserved addresses", lambda: mapped(0, PRIVATE | ANONYMOUS)),
    ("read-only mapping of a file", lambda: mapped(READ, PRIVATE, big)),
    ("shared anonymous mapping", lambda: mapped(READ | WRITE, SHARED | ANONYMOUS)),
    ("shared mapping of a file", lambda: mapped(READ | WRITE, SHARED, big)),
    ("file in memory", in_memory_file),
):
    try:
        attempt()
        print(name + ": given")
    except (OSError, MemoryError, RuntimeError):
        print(name + ": refused")
