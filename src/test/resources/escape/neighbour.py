"""The render that others attack: holds a secret in a file, a descriptor, a variable and its memory, and counts the
signals that reach it; SIGUSR2 it blocks, so that anybody sees one wait. Tells in the file `ready` where its memory's
secret lies, ends when `stop` appears."""

import ctypes
import json
import os
import signal
import sys
import time

SECONDS = 300

signals = []
for number in (signal.SIGUSR1, signal.SIGURG):
    signal.signal(number, lambda got, frame: signals.append(got))

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])

secret = ctypes.create_string_buffer(b"top secret words", 17)
with open("secret", "w") as file:
    file.write("top secret file")
held = open("secret", encoding="utf-8")
with open("ready.part", "w") as file:
    file.write(json.dumps({"neighbourPid": os.getpid(), "neighbourAddress": ctypes.addressof(secret),
                           "neighbourFolder": os.getcwd()}))
os.rename("ready.part", "ready")
end = time.monotonic() + SECONDS
while not os.path.exists("stop") and time.monotonic() < end:
    time.sleep(0.05)
found = {
    "signals": str(len(signals)),
    "pending": str(len(signal.sigpending())),
    "memory": secret.value.decode(),
    "file": open("secret", encoding="utf-8").read(),
    "entries": " ".join(sorted(os.listdir("."))),
}
json.dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "neighbour"}, "data": found}, sys.stdout)
