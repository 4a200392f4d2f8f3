"""Prints one ConfigMap for each section of a file of values; with --persistent_worker it stays and does so for each
request on its standard input (Bazel's worker protocol, one JSON object a line).

Every request is rendered in a fork of the process that has imported all it needs: what a render changes, its folder,
its variables, its memory, is gone with it, and it can be stopped when nobody waits for it any more.
"""

import argparse
import configparser
import json
import os
import selectors
import signal
import string
import sys

import rules  # the slow part


def render(arguments, environment):
    parser = argparse.ArgumentParser(prog="render")
    parser.add_argument("--values", required=True)
    options = parser.parse_args(arguments)
    values = configparser.ConfigParser(interpolation=None)
    with open(options.values, encoding="utf-8") as file:
        values.read_file(file)
    with open("manifest.template", encoding="utf-8") as file:
        template = string.Template(file.read())
    documents = []
    for name in values.sections():
        wrong = rules.check(name, values[name])
        if wrong:
            raise SystemExit(wrong)
        fields = {"name": name, "app": environment.get("ARGOCD_APP_NAME", "none"), **values[name]}
        documents.append(template.substitute(fields))
    return "---\n".join(documents)


def render_request(request):
    """In the fork: what the command would have done in the request's folder, with the request's variables."""
    try:
        os.chdir(request["workingDirectory"])
        os.environ.clear()
        os.environ.update(request["environment"])
        return {"output": render(request["arguments"], request["environment"])}
    except SystemExit as end:
        return {"exitCode": 1, "output": str(end)}
    except Exception as error:
        return {"exitCode": 1, "output": f"{type(error).__name__}: {error}"}


class Lines:
    """The lines of a descriptor, one at a time, without reading further than what is there."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.rest = b""

    def waiting(self):
        """Whether one has been read already: then the descriptor may have nothing more to say."""
        return b"\n" in self.rest

    def next(self):
        while b"\n" not in self.rest:
            more = os.read(self.descriptor, 65536)
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line


def answer_in_fork(request):
    """Gives the fork's process number and the descriptor that its answer comes from."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        with os.fdopen(write_end, "w", encoding="utf-8") as out:
            json.dump({"requestId": request.get("requestId", 0), **render_request(request)}, out)
        os._exit(0)
    os.close(write_end)
    return pid, read_end


def serve():
    requests = Lines(0)
    while (line := requests.next()) is not None:
        request = json.loads(line)
        if request.get("cancel"):
            continue  # it came too late: that request has its answer
        answer = finish(requests, request, *answer_in_fork(request))
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()


def finish(requests, request, pid, answers):
    """Waits for the fork's answer, or for the word that nobody waits for it."""
    text = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(answers, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        cancelled = False
        more = True
        while more and not cancelled:
            ready = [] if requests.waiting() else [key.fd for key, _ in waiting.select()]
            if answers in ready:
                piece = os.read(answers, 65536)
                text += piece
                more = bool(piece)
            if requests.waiting() or 0 in ready:
                line = requests.next()
                cancelled = line is None or json.loads(line).get("cancel", False)
        if cancelled:
            os.kill(pid, signal.SIGKILL)
    os.close(answers)
    os.waitpid(pid, 0)
    fallback = {"requestId": request.get("requestId", 0)}
    if cancelled:
        return json.dumps({**fallback, "wasCancelled": True}).encode()
    return text or json.dumps({**fallback, "exitCode": 1, "output": "the render was killed"}).encode()


if __name__ == "__main__":
    if "--persistent_worker" in sys.argv[1:]:
        serve()
    else:
        print(render(sys.argv[1:], os.environ), end="")
