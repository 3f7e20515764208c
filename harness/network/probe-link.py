"""Measures an emulated link with packets of its own: one process with a socket at each end, so that no other program's timing counts.

Arguments: the client's network namespace, the client's address, the server's address, and, for each direction, "up" and "down", the bytes
of a train of packets, 0 for none. Prints the JSON text of {"udpEchoMs", "tcpConnectMs", "upBitsPerSecond", "downBitsPerSecond"}
(extension/model/network/link.ts, LinkProof), or of {"problem"}.
"""

import ctypes
import json
import os
import socket
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
# <asm-generic/socket.h>
SO_TIMESTAMPNS = 35
TRIES = 12
# One more is taken first and dropped: the first packet of a path is slower.
DROPPED = 2
LIMIT_S = 25
PRIORITY = 9
# Bytes of the headers of IPv4 and UDP.
HEADERS = 28
MTU = 1500


def udp(address):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
    made.settimeout(LIMIT_S)
    made.bind((address, 0))
    return made


def echo(client, server):
    start = time.perf_counter()
    client.sendto(bytes(64 - HEADERS), server.getsockname())
    _, sender = server.recvfrom(2048)
    server.sendto(bytes(64 - HEADERS), sender)
    client.recv(2048)
    return 1000 * (time.perf_counter() - start)


def connect(address, make):
    client = make()
    try:
        start = time.perf_counter()
        client.connect(address)
        return 1000 * (time.perf_counter() - start)
    finally:
        client.close()


def median_rate(source, target, size):
    """The median of three trains: a busy machine may hold up one."""
    rates = sorted(each for each in (rate(source, target, size) for _ in range(3)) if each is not None)
    return rates[len(rates) // 2] if rates else None


def slope(arrived):
    """Time for each packet. A busy machine delivers packets late and never early: the earliest of each end, measured from an even pace, count."""
    last = len(arrived) - 1
    pace = (arrived[last] - arrived[0]) / last

    def earliest(places):
        return min(places, key=lambda place: arrived[place] - place * pace)

    part = max(1, len(arrived) // 4)
    first, final = earliest(range(part)), earliest(range(last + 1 - part, last + 1))
    return (arrived[final] - arrived[first]) / (final - first)


def rate(source, target, size):
    """bit/s of a train of full packets."""
    if size == 0:
        return None
    packets = size // MTU
    payload = bytes(MTU - HEADERS)
    target.settimeout(2)
    # The kernel's time of arrival: this process may be late.
    target.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    for _ in range(packets):
        source.sendto(payload, target.getsockname())
    arrived = []
    try:
        for _ in range(packets):
            _, ((_, _, stamp),), _, _ = target.recvmsg(2048, socket.CMSG_SPACE(16))
            seconds, nanoseconds = struct.unpack("qq", stamp)
            arrived.append(seconds + nanoseconds / 1e9)
    except TimeoutError:
        pass
    finally:
        target.settimeout(LIMIT_S)
    if len(arrived) < 2:
        return None
    return MTU * 8 / slope(arrived)


def main(namespace, client_address, server_address, up_bytes, down_bytes):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    server = udp(server_address)
    listener = socket.create_server((server_address, 0), backlog=64)
    opened = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if libc.setns(opened, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), f"setns({namespace})")
    client = udp(client_address)

    def tcp():
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.settimeout(LIMIT_S)
        return made

    return {
        "udpEchoMs": [echo(client, server) for _ in range(TRIES)][DROPPED:],
        "tcpConnectMs": [connect(listener.getsockname(), tcp) for _ in range(TRIES)][DROPPED:],
        "upBitsPerSecond": median_rate(client, server, int(up_bytes)),
        "downBitsPerSecond": median_rate(server, client, int(down_bytes)),
    }


try:
    answer = main(*sys.argv[1:])
except OSError as error:
    answer = {"problem": str(error)}
print(json.dumps(answer))
