"""Carries packets between two network devices, each direction with a delay, a rate, a queue, loss, jitter and reordering.

Arguments: the network namespace of the client's device, and the name of each device: the client's, and that of this machine.
Both are made here, point to point, and are gone when this program ends, which it does at the end of its input: when the
program that started it ends, however it ends.

A line of input is the JSON text of {"up", "down"} (extension/model/network/link.ts, LinkDirection), which from then on apply, or
of {}. The answer is the JSON text of the counts of both directions (LinkCounts), or of {"problem"}; the first answer comes when
the devices are made. Packets that are under way keep the settings with which they came in.

It runs with real-time priority: beside busy processes packets would otherwise be late by tens of milliseconds.
"""

import collections
import ctypes
import fcntl
import gc
import json
import os
import random
import select
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
# <linux/if_tun.h>, <linux/sched.h>, <linux/prctl.h>
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
CLONE_NEWNET = 0x40000000
PR_SET_TIMERSLACK = 29
PACKET_BYTES = 65536
# Packets that are read before the ones that are due are written.
BURST = 64
PRIORITY = 10
# Least, initial and greatest receive buffer of a TCP connection of the client, bytes (tcp(7)).
RECEIVE_BUFFERS = "4096 2097152 33554432"


def enter(path):
    namespace = os.open(path, os.O_RDONLY)
    try:
        if libc.setns(namespace, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"setns({path})")
    finally:
        os.close(namespace)


def make_device(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN_NO_PI))
    return device


class Direction:
    def __init__(self, source, target):
        self.source, self.target = source, target
        # The next packets, in order of the time at which they are due, s.
        self.packets = collections.deque()
        # When the link has sent everything that it holds, s.
        self.free_at = 0.0
        self.counts = {"packets": 0, "bytes": 0, "queueDrops": 0, "lossDrops": 0, "refused": 0, "maxLateMs": 0}
        self.set({"delayMs": 0, "jitterMs": 0, "bitsPerSecond": None, "queueBytes": 1, "lossShare": 0, "reorderShare": 0})

    def set(self, settings):
        self.delay = settings["delayMs"] / 1000
        self.jitter = settings["jitterMs"] / 1000
        self.byte_time = 8 / settings["bitsPerSecond"] if settings["bitsPerSecond"] else 0
        self.queue_bytes = settings["queueBytes"]
        self.loss = settings["lossShare"]
        self.reorder = settings["reorderShare"]

    def take(self):
        counts, packets = self.counts, self.packets
        now = time.monotonic()
        for _ in range(BURST):
            try:
                packet = os.read(self.source, PACKET_BYTES)
            except OSError:
                # Nothing more to read, or the device is not up yet.
                return
            size = len(packet)
            if self.loss and random.random() < self.loss:
                counts["lossDrops"] += 1
                continue
            due = now
            if self.byte_time:
                if self.free_at - now > self.queue_bytes * self.byte_time:
                    counts["queueDrops"] += 1
                    continue
                self.free_at = due = max(now, self.free_at) + size * self.byte_time
            counts["packets"] += 1
            counts["bytes"] += size
            if self.reorder and random.random() < self.reorder:
                self.give(due, packet)
                continue
            due += self.delay
            if self.jitter:
                due += random.uniform(-self.jitter, self.jitter)
            # In order, also where the delay has just become shorter.
            packets.append((max(due, packets[-1][0]) if packets else due, packet))

    def give(self, due, packet):
        try:
            os.write(self.target, packet)
        except OSError:
            self.counts["refused"] += 1
        late = 1000 * (time.monotonic() - due)
        if late > self.counts["maxLateMs"]:
            self.counts["maxLateMs"] = late

    def give_due(self):
        packets = self.packets
        while packets and packets[0][0] <= time.monotonic():
            self.give(*packets.popleft())


def answer(message):
    print(json.dumps(message), flush=True)


def carry(up, down):
    directions = (up, down)
    pending = b""
    while True:
        due = [direction.packets[0][0] for direction in directions if direction.packets]
        wait = max(0, min(due) - time.monotonic()) if due else None
        ready, _, _ = select.select([up.source, down.source, 0], [], [], wait)
        for direction in directions:
            if direction.source in ready:
                direction.take()
            direction.give_due()
        if 0 not in ready:
            continue
        text = os.read(0, PACKET_BYTES)
        if not text:
            return
        *lines, pending = (pending + text).split(b"\n")
        for line in lines:
            settings = json.loads(line)
            answer({"up": up.counts, "down": down.counts})
            for name, direction in (("up", up), ("down", down)):
                if name in settings:
                    direction.set(settings[name])
                    direction.counts["maxLateMs"] = 0


def main(namespace, client_name, server_name):
    try:
        server = make_device(server_name)
        here = "/proc/self/ns/net"
        home = f"/proc/{os.getpid()}/fd/{os.open(here, os.O_RDONLY)}"
        enter(f"/run/netns/{namespace}")
        client = make_device(client_name)
        # A receive window that does not limit: how a response begins is then the server's slow start alone.
        with open("/proc/sys/net/ipv4/tcp_rmem", "w", encoding="ascii") as file:
            file.write(RECEIVE_BUFFERS)
        enter(home)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
        libc.prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
    except OSError as error:
        return answer({"problem": str(error)})
    gc.disable()
    up, down = Direction(client, server), Direction(server, client)
    answer({"up": up.counts, "down": down.counts})
    carry(up, down)


main(*sys.argv[1:])
