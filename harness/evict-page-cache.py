"""Writes back and drops the page cache, once for each line read: the JSON text of a path on the file system, or null.

Answers each line with "done" or with what failed. Ends at the end of its input, which comes when the program that started
it ends, however it ends.
"""

import ctypes
import json
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)


def write_back(path):
    directory = os.open(path, os.O_RDONLY)
    try:
        if libc.syncfs(directory) != 0:
            raise OSError(ctypes.get_errno(), f"syncfs({path})")
    finally:
        os.close(directory)


def drop():
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3")


for line in iter(sys.stdin.readline, ""):
    try:
        path = json.loads(line)
        if path is not None:
            write_back(path)
        drop()
        print("done", flush=True)
    except OSError as error:
        print(str(error).replace("\n", " "), flush=True)
