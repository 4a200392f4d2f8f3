"""Fills what all renders share until the kernel says no: argv[1] is disk, inodes or processes."""

import json
import os
import sys
import time

MOST = 100_000
SECONDS = 20


def disk():
    """Files of a mebibyte, so that no limit of one file's size helps."""
    for i in range(MOST):
        with open("block-%d" % i, "wb") as file:
            file.write(bytes(1 << 20))
            file.flush()


def inodes():
    for i in range(MOST):
        os.mkdir("folder-%d" % i)


def processes():
    """Children that ignore being asked to end and have children of their own."""
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(MOST):
        if os.fork() == 0:
            os.setsid()
            os.fork()
            time.sleep(SECONDS)
            os._exit(0)


what = os.environ["ARGOCD_ENV_WHAT"]
try:
    {"disk": disk, "inodes": inodes, "processes": processes}[what]()
    said = "never refused"
except OSError as refused:
    said = os.strerror(refused.errno)
json.dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "fill"}, "data": {what: said}}, sys.stdout)
