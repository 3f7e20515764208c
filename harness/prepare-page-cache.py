"""Brings the page cache into a state, once for each line read.

A line is the JSON text of {"state", "path", "files", "device", "images"}. "cold" writes the file system at "path" back (null:
nothing) and drops the page cache, dentries and inodes. Where "device" names the block device below "files", it drops, after a
first time, only what can be of it in memory: the pages of these files, the device's own (metadata), dentries and inodes.
The data of each file of "images", in which slow devices keep theirs, is read back when everything was dropped. "file-cold"
writes the file system back and drops the data of each file below "files", whose metadata stays in memory; "warm" reads each of
these files. The answer is the JSON text of {"residentPages", "pages"} of these files, null for "cold", where looking at them would
fetch their metadata; or of {"problem"}.

Ends at the end of its input, which comes when the program that started it ends, however it ends.
"""

import ctypes
import errno
import fcntl
import json
import mmap
import os
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
MAP_FAILED = ctypes.c_void_p(-1).value
READ_BYTES = 1 << 20
# <linux/fs.h>, <linux/openat2.h>; openat2(2) has this number on every architecture.
BLKFLSBUF = 0x1261
RESOLVE_CACHED = 0x20
SYS_OPENAT2 = 437
AT_FDCWD = -100
# A device read takes 10 s at most.
BUSY_LIMIT_S = 10

# Paths of the files below a directory, as they were when everything was last dropped for it.
known = {}
# Drops since boot, by any program, after the last one here; see drops().
last_drops = None


def check(is_done, what):
    if not is_done:
        raise OSError(ctypes.get_errno(), what)


def write_back(path):
    directory = os.open(path, os.O_RDONLY)
    try:
        check(libc.syncfs(directory) == 0, f"syncfs({path})")
    finally:
        os.close(directory)


def drop(what):
    """1: page cache; 2: dentries and inodes; 3: both (Linux, vm.drop_caches)."""
    global last_drops
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write(str(what))
    last_drops = drops()


def drop_all(images):
    drop(3)
    for image in images:
        read_back(image)


def read_back(image):
    """Reads the data of an image: else a read from the device also waits for the disk that holds the image."""
    file = os.open(image, os.O_RDONLY)
    try:
        size = os.fstat(file).st_size
        end = 0
        while end < size:
            start = os.lseek(file, end, os.SEEK_DATA)
            end = os.lseek(file, start, os.SEEK_HOLE)
            for offset in range(start, end, READ_BYTES):
                os.pread(file, min(READ_BYTES, end - offset), offset)
    except OSError as error:
        # No data after this place (lseek(2)).
        if error.errno != errno.ENXIO:
            raise
    finally:
        os.close(file)


def drops():
    """How often the page cache, or dentries and inodes, were dropped since boot (/proc/vmstat); [] where the kernel does not count it."""
    with open("/proc/vmstat", encoding="ascii") as file:
        return [line for line in file if line.startswith("drop_")]


def paths_below(directory):
    return [os.path.join(parent, name) for parent, _, names in os.walk(directory) for name in names]


def opened_from_memory(path):
    """A file whose dentry is in memory. None for another: it has no inode there, and no pages. Looking fetches nothing."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    how = struct.pack("QQQ", flags, 0, RESOLVE_CACHED)
    file = libc.syscall(SYS_OPENAT2, AT_FDCWD, os.fsencode(path), how, len(how))
    return None if file < 0 else file


def can_open_from_memory():
    file = opened_from_memory("/")
    if file is not None:
        os.close(file)
    return file is not None


def mapped_among(files):
    """The files that a process maps (proc(5), /proc/PID/maps): the kernel keeps their pages."""
    places = {}
    for file in files:
        status = os.fstat(file)
        places[f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}", str(status.st_ino)] = file
    mapped = set()
    for name in filter(str.isdigit, os.listdir("/proc") if files else []):
        try:
            with open(f"/proc/{name}/maps", encoding="utf-8", errors="replace") as maps:
                mapped |= {tuple(line.split(None, 5)[3:5]) for line in maps} & places.keys()
        except OSError:
            # The process has ended meanwhile.
            continue
    return {places[place] for place in mapped}


def is_dropped(file):
    """Drops the pages of a file, and returns whether none is left."""
    drop_data(file)
    return residency(file)[0] == 0


def drop_wholly(file):
    """Whether no page of a file is left. A page whose read is still under way cannot be dropped: one more try each ms."""
    end = time.monotonic() + BUSY_LIMIT_S
    while not is_dropped(file):
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def drop_device(paths, device, images):
    # First: a file can be found in memory only as long as its dentry is there.
    files = [file for file in map(opened_from_memory, paths) if file is not None]
    try:
        kept = [file for file in files if not is_dropped(file)]
        mapped = mapped_among(kept)
        are_dropped = all([drop_wholly(file) for file in kept if file not in mapped]) and not mapped
    finally:
        for file in files:
            os.close(file)
    # A read has just left a dentry. Where none is found (User-mode Linux 6.1 on hostfs), a lookup says nothing of the pages.
    if not files or not are_dropped:
        return drop_all(images)
    node = os.open(device, os.O_RDONLY)
    try:
        fcntl.ioctl(node, BLKFLSBUF)
    finally:
        os.close(node)
    # Twice: a dentry that was used since the last drop outlives the first (fs/dcache.c, DCACHE_REFERENCED), and its
    # inode would not be read from the device.
    drop(2)
    drop(2)


def drop_cold(files, device, images):
    # A drop by another program takes dentries whose files keep their pages: only a drop of everything finds these.
    is_alone = drops() == last_drops
    if device is not None and files in known and is_alone:
        return drop_device(known[files], device, images)
    if files is not None and can_open_from_memory():
        known[files] = paths_below(files)
    return drop_all(images)


def drop_data(file):
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)


def read_all(file):
    while os.read(file, READ_BYTES):
        pass


def residency(file):
    """Pages of a file in the page cache, and all of them (mincore(2)); a mapping that is not touched fetches none."""
    size = os.fstat(file).st_size
    if size == 0:
        return 0, 0
    pages = -(-size // mmap.PAGESIZE)
    address = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file, 0)
    check(address != MAP_FAILED, "mmap")
    try:
        resident = (ctypes.c_ubyte * pages)()
        check(libc.mincore(address, size, resident) == 0, "mincore")
        return sum(page & 1 for page in resident), pages
    finally:
        libc.munmap(address, size)


def each_file(directory, change):
    counts = []
    for parent, _, names in os.walk(directory):
        for name in names:
            try:
                file = os.open(os.path.join(parent, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except OSError:
                # A link or a socket, or it went: the browser runs.
                continue
            try:
                change(file)
                counts.append(residency(file))
            finally:
                os.close(file)
    return {"residentPages": sum(one for one, _ in counts), "pages": sum(all for _, all in counts)}


def prepare(state, path, files, device=None, images=()):
    if path is not None and state != "warm":
        write_back(path)
    if state == "cold":
        return drop_cold(files, device, images)
    return each_file(files, read_all if state == "warm" else drop_data)


for line in iter(sys.stdin.readline, ""):
    try:
        answer = prepare(**json.loads(line))
    except OSError as error:
        answer = {"problem": str(error)}
    print(json.dumps(answer), flush=True)
