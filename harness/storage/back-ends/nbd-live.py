"""Serves a disk image whose delays change while it is in use (nbdkit-python-plugin(3)).

Parameters: image=FILE, and control=FILE, which holds the fields below. The file is mapped into memory, so that what the
harness writes there holds for the next request. latencies=FILE, which may be absent: where the control file says so, each read
takes a latency drawn from it too.
"""

import array
import ctypes
import errno
import io
import mmap
import os
import random
import struct
import sys
import threading
import time

import nbdkit

API_VERSION = 2

# Read, write and flush delay (ms), share of reads that fail, bytes a second each way (0: no limit), whether reads draw a
# latency (0 or 1). As in live-control.ts.
FIELDS = struct.Struct("<6d")

# What nbdfuse, the socket and the loop device add to each request (ms): the wait is shorter by it, so that the device as a
# whole has the delay that was asked for.
ADDED_MS = 0.15

# prctl(2)
PR_SET_TIMERSLACK = 29

parameters = {}
device = None
control = None
latencies = None


class Line:
    """Requests in one direction share the bandwidth, one after another."""

    def __init__(self):
        self.lock = threading.Lock()
        self.free_at = 0.0

    def end_of(self, start, count, bytes_per_second):
        if bytes_per_second == 0:
            return start
        with self.lock:
            self.free_at = max(self.free_at, start) + count / bytes_per_second
            return self.free_at


reads, writes = Line(), Line()


class Latencies:
    """Two states with a table each (ms), and the shares of reads that lead from one to the other (latency-profile.ts)."""

    def __init__(self, path):
        numbers = array.array("d")
        with io.open(path, "rb") as file:
            numbers.frombytes(file.read())
        if sys.byteorder != "little":
            numbers.byteswap()
        self.change_share = numbers[:2]
        middle = 2 + (len(numbers) - 2) // 2
        self.tables = numbers[2:middle], numbers[middle:]
        self.state = 0
        self.lock = threading.Lock()

    def draw(self):
        with self.lock:
            if random.random() < self.change_share[self.state]:
                self.state = 1 - self.state
            return random.choice(self.tables[self.state])


def thread_model():
    return nbdkit.THREAD_MODEL_PARALLEL


def config(key, value):
    parameters[key] = value


def config_complete():
    if set(parameters) - {"latencies"} != {"image", "control"}:
        raise RuntimeError("the parameters are image=FILE, control=FILE and perhaps latencies=FILE")


def get_ready():
    global device, control, latencies
    device = os.open(parameters["image"], os.O_RDWR)
    file = os.open(parameters["control"], os.O_RDONLY)
    control = mmap.mmap(file, FIELDS.size, prot=mmap.PROT_READ)
    if "latencies" in parameters:
        latencies = Latencies(parameters["latencies"])
    # A sleep may be late by the timer slack, 50 us unless it is set; threads made later take it over.
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)


def can_multi_conn(handle):
    return True


def can_fua(handle):
    return nbdkit.FUA_EMULATE


def open(readonly):
    return None


def get_size(handle):
    return os.fstat(device).st_size


def sleep_until(moment):
    left = moment - time.monotonic()
    if left > 0:
        time.sleep(left)


def due(began, delay_ms):
    return began + max(0.0, delay_ms - ADDED_MS) / 1000


def pread(handle, buffer, offset, flags):
    began = time.monotonic()
    delay_ms, _, _, share_failing, bytes_per_second, draws = FIELDS.unpack_from(control)
    if draws and latencies is not None:
        delay_ms += latencies.draw()
    count = os.preadv(device, [buffer], offset)
    # The line is busy only with the bytes: a read with a short latency does not wait for one with a long latency.
    sleep_until(due(reads.end_of(began, len(buffer), bytes_per_second), delay_ms))
    if count != len(buffer) or random.random() < share_failing:
        nbdkit.set_error(errno.EIO)
        raise OSError(errno.EIO, "this read fails")


def pwrite(handle, buffer, offset, flags):
    began = time.monotonic()
    _, delay_ms, _, _, bytes_per_second, _ = FIELDS.unpack_from(control)
    sleep_until(due(writes.end_of(began, len(buffer), bytes_per_second), delay_ms))
    if os.pwritev(device, [buffer], offset) != len(buffer):
        nbdkit.set_error(errno.EIO)
        raise OSError(errno.EIO, "the image took a part of a write")


def flush(handle, flags):
    began = time.monotonic()
    delay_ms = FIELDS.unpack_from(control)[2]
    # The image need not survive a power cut, and to write it through would add what this machine's own disk takes.
    sleep_until(due(began, delay_ms))
