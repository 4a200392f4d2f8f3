"""Leaves a process behind that keeps descriptors of its folder and looks, by every way it knows, for the files of
renders that come later. It writes what it found into a file of its own folder that it holds open."""

import json
import os
import signal
import sys
import time

SECONDS = 60
MOST_NAMES = 100
SECRET = b"top secret"  # what the neighbour has


def folders(held):
    """The held one, and what lies above and beside it, as numbers to be closed."""
    yield os.dup(held)
    for up in ("..", "../..", "../../.."):
        try:
            above = os.open(up, os.O_RDONLY | os.O_DIRECTORY, dir_fd=held)
        except OSError:
            continue
        with os.scandir(above) as entries:
            names = [entry.name for entry, _ in zip(entries, range(MOST_NAMES))]
        yield above
        for inner in [name + end for name in names for end in ("", "/tree")]:
            try:
                yield os.open(up + "/" + inner, os.O_RDONLY | os.O_DIRECTORY, dir_fd=held)
            except OSError:
                continue


def secrets(held):
    for folder in folders(held):
        try:
            file = os.open("secret", os.O_RDONLY, dir_fd=folder)
        except OSError:
            continue
        finally:
            os.close(folder)
        with os.fdopen(file, "rb") as secret:
            if SECRET in secret.read(4096):
                return "found by descriptor"
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cwd/secret" % process, "rb") as file:
                if SECRET in file.read(4096):
                    return "found by process"
        except OSError:
            continue
    return "nothing"


def stay(report, held):
    """A process of its own session, deaf to polite signals, without the command's output."""
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    end = time.monotonic() + SECONDS
    looked = 0
    while time.monotonic() < end:
        looked += 1
        os.pwrite(report, b"%d %s\n" % (looked, secrets(held).encode()), 0)
        time.sleep(0.02)
    os._exit(0)


held_folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
report_file = os.open("residue-report", os.O_RDWR | os.O_CREAT, 0o600)
if os.fork() == 0:
    stay(report_file, held_folder)
json.dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "residue"}, "data": {}}, sys.stdout)
