"""A process outside every sandbox that offers what can be attacked: sockets of all kinds, shared memory, keys, a
terminal. Prints where, as JSON, and serves until its standard input ends. Its argument is a folder of its own."""

import ctypes
import json
import os
import pty
import select
import socket
import struct
import sys

from attempt import address, call, libc

FOLDER = sys.argv[1]
NAME = "remora-victim-%d" % os.getpid()
GREETING = b"greetings from the victim"


def listening(family, where):
    here = socket.socket(family)
    here.bind(where)
    here.listen()
    return here


def datagrams(family, where):
    here = socket.socket(family, socket.SOCK_DGRAM)
    here.bind(where)
    return here


def shared():
    """A System V segment, a queue, a semaphore under one key; a POSIX queue and segment; a key of the keyring."""
    key = 0x52000000 | os.getpid()
    segment = call("shmget", key, 16, 0o1600)
    libc.shmat.restype = ctypes.c_void_p
    ctypes.memmove(libc.shmat(segment, None, 0), b"segment's secret", 16)
    queue = call("msgget", key, 0o1600)
    semaphore = call("semget", key, 1, 0o1600)
    call("mq_open", NAME.encode(), os.O_CREAT | os.O_RDWR, 0o600, 0)
    with open("/dev/shm/" + NAME, "w") as file:
        file.write("segment of POSIX")
    call("add_key", b"user", NAME.encode(), b"keyring's secret", 16, -4)
    return key, segment, queue, semaphore


def unshared(segment, queue, semaphore):
    libc.shmctl(segment, 0, None)
    libc.msgctl(queue, 0, None)
    libc.semctl(semaphore, 0, 0)
    libc.syscall(ctypes.c_long(241 if os.uname().machine != "aarch64" else 181), NAME.encode())  # mq_unlink
    os.unlink("/dev/shm/" + NAME)


def main():
    streams = [listening(socket.AF_INET, ("127.0.0.1", 0)), listening(socket.AF_UNIX, FOLDER + "/stream"),
               listening(socket.AF_UNIX, "\0" + NAME)]
    targets = {"victimTcp": streams[0].getsockname()[1], "victimStream": FOLDER + "/stream", "victimAbstract": NAME}
    try:
        streams.append(listening(socket.AF_INET6, ("::1", 0)))
        targets["victimTcp6"] = streams[-1].getsockname()[1]
    except OSError:
        targets["victimTcp6"] = 1
    echo = datagrams(socket.AF_INET, ("127.0.0.1", 0))
    others = [datagrams(socket.AF_UNIX, FOLDER + "/datagram"), datagrams(socket.AF_UNIX, "\0" + NAME + "-datagram")]
    targets.update(victimUdp=echo.getsockname()[1], victimDatagram=FOLDER + "/datagram")
    key, *ipc = shared()
    _, terminal = pty.openpty()
    targets.update(victimKey=key, victimQueue=NAME, victimMemory=NAME, victimKeyName=NAME,
                   victimTerminal=os.ttyname(terminal), victimPid=os.getpid())
    print(json.dumps(targets), flush=True)
    while True:
        ready, _, _ = select.select([sys.stdin, echo, *others, *streams], [], [])
        for one in ready:
            if one is sys.stdin:
                unshared(*ipc)
                return
            if one in streams:
                with one.accept()[0] as peer:
                    peer.sendall(GREETING)
            elif one is echo:
                data, sender = one.recvfrom(512)
                one.sendto(GREETING, sender)
            else:
                one.recv(512)


main()
