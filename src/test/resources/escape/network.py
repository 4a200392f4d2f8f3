"""Makes sockets of every kind, and talks to whoever listens."""

import ctypes
import os
import socket
import struct

from attempt import address, attempt, call, evidence, libc, report, target

LOOPBACK, LOOPBACK6 = "127.0.0.1", "::1"
SECONDS = 3


def privileged():
    """Root of a network of its own, where one may have that; who may not goes on as he is."""
    try:
        call("unshare", 0x10000000 | 0x40000000)
    except OSError:
        pass


def made(*kind):
    """Only makes the socket."""
    with socket.socket(*kind):
        return "socket made"


def greeted(kind, where):
    """Connects, and reads the greeting that the victim sends."""
    with kind as peer:
        peer.settimeout(SECONDS)
        peer.connect(where)
        return evidence(peer.recv(64))


def answered(kind, where, question):
    """One datagram there and one back."""
    with kind as peer:
        peer.settimeout(SECONDS)
        peer.sendto(question, where)
        return evidence(peer.recv(512))


@attempt("tcp")
def tcp():
    return greeted(socket.socket(), (LOOPBACK, target("victimTcp")))


@attempt("tcp-v6")
def tcp_v6():
    return greeted(socket.socket(socket.AF_INET6), (LOOPBACK6, target("victimTcp6")))


@attempt("multipath-tcp")
def multipath_tcp():
    return greeted(socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262), (LOOPBACK, target("victimTcp")))


@attempt("tcp-fast-open")
def tcp_fast_open():
    """sendto with MSG_FASTOPEN connects without connect()."""
    with socket.socket() as peer:
        peer.sendto(b"x", 0x20000000, (LOOPBACK, target("victimTcp")))
        peer.settimeout(SECONDS)
        return evidence(peer.recv(64))


@attempt("tcp-listen")
def tcp_listen():
    with socket.socket() as here:
        here.bind((LOOPBACK, 0))
        here.listen()
        return here.getsockname()


@attempt("udp")
def udp():
    return answered(socket.socket(type=socket.SOCK_DGRAM), (LOOPBACK, target("victimUdp")), b"hello")


@attempt("udp-v6")
def udp_v6():
    return made(socket.AF_INET6, socket.SOCK_DGRAM)


@attempt("dns")
def dns():
    """A name carries what one wants to send out: a query for an A record, as a resolver sends it."""
    name = b"".join(bytes([len(part)]) + part for part in (b"stolen-data", b"example", b"org"))
    query = struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + name + b"\0" + struct.pack(">HH", 1, 1)
    return answered(socket.socket(type=socket.SOCK_DGRAM), (LOOPBACK, target("victimUdp")), query)


@attempt("raw")
def raw_socket():
    privileged()
    return made(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


@attempt("ping-socket")
def ping_socket():
    return made(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)


@attempt("packet")
def packet():
    privileged()
    return made(socket.AF_PACKET, socket.SOCK_RAW, 0)


@attempt("netlink")
def netlink():
    """Asks for the network's links."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as peer:
        peer.settimeout(SECONDS)
        peer.send(struct.pack("IHHII", 17, 18, 0x301, 1, 0) + b"\0")
        return "%d bytes" % len(peer.recv(4096))


@attempt("netlink-audit")
def netlink_audit():
    return made(socket.AF_NETLINK, socket.SOCK_RAW, 9)


@attempt("vsock")
def vsock():
    return made(socket.AF_VSOCK, socket.SOCK_STREAM)


@attempt("kernel-crypto")
def kernel_crypto():
    return made(socket.AF_ALG, socket.SOCK_SEQPACKET)


@attempt("can")
def can():
    return made(socket.AF_CAN, socket.SOCK_RAW, 1)


@attempt("xdp")
def xdp():
    privileged()
    return made(44, socket.SOCK_RAW)


@attempt("smc")
def smc():
    return made(43, socket.SOCK_STREAM)


@attempt("tipc")
def tipc():
    return made(30, socket.SOCK_SEQPACKET)


@attempt("bluetooth")
def bluetooth():
    return made(31, socket.SOCK_RAW, 1)


@attempt("unix-path")
def unix_path():
    return greeted(socket.socket(socket.AF_UNIX), target("victimStream"))


@attempt("unix-path-datagram")
def unix_path_datagram():
    return datagram(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), target("victimDatagram"))


@attempt("unix-abstract")
def unix_abstract():
    return greeted(socket.socket(socket.AF_UNIX), "\0" + target("victimAbstract"))


@attempt("unix-abstract-datagram")
def unix_abstract_datagram():
    return datagram(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), "\0" + target("victimAbstract") + "-datagram")


def datagram(kind, where):
    with kind as peer:
        return "%d bytes sent" % peer.sendto(b"hello", where)


@attempt("pair-to-path")
def pair_to_path():
    """A pair needs no socket(); one end of a pair of datagrams may send to any path."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return datagram(one, target("victimDatagram"))


@attempt("pair-reconnected")
def pair_reconnected():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one:
        one.connect(target("victimDatagram"))
        return "%d bytes sent" % one.send(b"hello")


@attempt("sidecar-socket")
def sidecar_socket():
    """HTTP/2's first words; the server answers with its settings."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(SECONDS)
        peer.connect(target("socket"))
        peer.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\4" + bytes(5))
        return "%d bytes" % len(peer.recv(64))


@attempt("socket-by-io-uring")
def socket_by_io_uring():
    """IORING_OP_SOCKET makes a socket without the call."""
    parameters = ctypes.create_string_buffer(120)
    ring = call("io_uring_setup", 4, address(parameters))
    words = struct.unpack_from("10I", parameters.raw, 40)  # sq_off
    completions = struct.unpack_from("8I", parameters.raw, 80)  # cq_off
    entries = struct.unpack_from("II", parameters.raw, 0)
    libc.mmap.restype = ctypes.c_void_p
    queue = mapped(ring, completions[5] + entries[1] * 16 + 4096, 0)
    slots = mapped(ring, entries[0] * 64, 0x10000000)
    request = struct.pack("BBHiQQIIQ", 45, 0, 0, 2, 1, 0, 0, 0, 7)  # domain 2, type 1
    ctypes.memmove(slots, request, len(request))
    ctypes.c_uint.from_address(queue + words[6]).value = 0  # array[0]
    ctypes.c_uint.from_address(queue + words[1]).value += 1  # tail
    call("io_uring_enter", ring, 1, 1, 1, 0, 0)
    result = ctypes.c_int.from_address(queue + completions[5] + 8).value
    if result < 0:
        raise OSError(-result, "IORING_OP_SOCKET")
    return "socket made"


def mapped(ring, length, offset):
    at = libc.mmap(None, ctypes.c_size_t(length), 3, 0x8001, ring, ctypes.c_long(offset))
    if at in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "mmap")
    return at


report()
