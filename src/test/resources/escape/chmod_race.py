"""Changes a mode by a path whose memory, and whose link, another thread turns between an own file and a foreign one."""

import ctypes
import os
import sys
import threading

ROUNDS = 500
foreign = sys.argv[1].encode()

libc = ctypes.CDLL(None, use_errno=True)
own = os.path.join(os.getcwd(), "own").encode()
length = max(len(own), len(foreign)) + 1
path = ctypes.create_string_buffer(own, length)
over = False


def turn_memory():
    while not over:
        ctypes.memmove(path, foreign + b"\0", len(foreign) + 1)
        ctypes.memmove(path, own + b"\0", len(own) + 1)


def turn_link():
    while not over:
        for end in (foreign, own):
            os.symlink(end, "next-link")
            os.rename("next-link", "link")


open("own", "w").close()
os.symlink(own, "link")
threads = [threading.Thread(target=turn_memory), threading.Thread(target=turn_link)]
for thread in threads:
    thread.start()
done = 0
for _ in range(ROUNDS):
    done += libc.chmod(path, 0o640) == 0
    done += libc.chmod(b"link", 0o640) == 0
over = True
for thread in threads:
    thread.join()
print("changed" if done else "never")
