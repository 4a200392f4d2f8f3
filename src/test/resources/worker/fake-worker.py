"""A worker that does what its first argument says: well, badly, or not at all."""

import json
import os
import signal
import subprocess
import sys
import time

answered = 0
hoard = []


def answer(request, **fields):
    print(json.dumps({"requestId": request["requestId"], **fields}), flush=True)


def facts(request):
    return json.dumps({"pid": os.getpid(), "answered": answered, "cwd": os.getcwd(), **request})


def object_(name):
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"


def attempt(action):
    try:
        return action() or "done"
    except OSError as error:
        return type(error).__name__


def reach(request):
    """A ConfigMap of what the worker may do with the paths that the request names."""
    places = {
        "workspace": os.path.join(request["workingDirectory"], "x.yaml"),
        "root": os.path.join(request["sandboxDir"], "new"),
        "home": os.path.join(request["environment"].get("HOME", "/nowhere"), "new"),
        "tmp": os.path.join(request["environment"].get("TMPDIR", "/nowhere"), "new"),
        "outside": request["environment"]["ARGOCD_ENV_OUTSIDE"],
    }
    data = {f"write-{name}": attempt(lambda: open(path, "a").close()) for name, path in places.items()}
    data["read-outside"] = attempt(lambda: open(places["outside"]).close())
    if "break" in request["arguments"]:
        os.rename(os.path.dirname(request["sandboxDir"]), os.path.join(os.environ["HOME"], "gone"))
        os.chmod(os.getcwd(), 0)
    return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "reach"}, "data": data})


def work(request):
    what = (request["arguments"] or ["facts"])[0]
    if what == "facts":
        answer(request, output=facts(request))
    elif what == "files":
        print("rendering", file=sys.stderr, flush=True)
        answer(request, output="".join(
            f"{open(os.path.join(request['workingDirectory'], name)).read()}\n---\n"
            for name in sorted(os.listdir(request["workingDirectory"])) if name.endswith(".yaml")))
    elif what == "object":
        answer(request, output=object_(request["environment"].get("ARGOCD_ENV_NAME", "warm")))
    elif what == "reach":
        answer(request, output=reach(request))
    elif what == "fail":
        print("see above", file=sys.stderr, flush=True)
        answer(request, exitCode=3, output="no such chart")
    elif what == "noise":
        print("this is no JSON", flush=True)
    elif what == "array":
        print("[]", flush=True)
    elif what == "wrong id":
        print(json.dumps({"requestId": request["requestId"] + 7, "output": ""}), flush=True)
    elif what == "wrong type":
        answer(request, output=["a"])
    elif what == "cancelled unasked":
        answer(request, wasCancelled=True)
    elif what == "twice":
        answer(request, output=object_("first"))
        answer(request, output=object_("second"))
    elif what == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    elif what == "large":
        answer(request, output="x" * int(request["arguments"][1]))
    elif what == "crash":
        print("segmentation fault, so to say", file=sys.stderr, flush=True)
        os._exit(139)
    elif what == "hang with a child":
        subprocess.Popen(["sleep", "300"])
        open(os.environ["TOUCH"], "w").close()
        time.sleep(300)
    elif what == "hang":
        time.sleep(300)
    elif what == "slow":
        # One that reads while it works, and gives up when it is asked to.
        cancel = json.loads(sys.stdin.readline())
        answer(request, wasCancelled=cancel.get("cancel", False))
    elif what == "late":
        # One that knows no cancellation: it answers as if nothing had happened.
        time.sleep(0.4)
        answer(request, output=object_("late"))
    elif what == "hoard":
        hoard.append(bytearray(os.urandom(1024)) * 32 * 1024)
        answer(request, output=facts(request))
    elif what == "leave":
        subprocess.Popen(["sleep", "300"], start_new_session=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        answer(request, output=facts(request))
    else:
        answer(request, exitCode=1, output=f"unknown: {what}")


if "--broken" in sys.argv:
    sys.exit("import error, so to say")
if "--deaf" in sys.argv:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGIO, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
for line in sys.stdin:
    work(json.loads(line))
    answered += 1
if "--deaf" in sys.argv:
    time.sleep(300)
