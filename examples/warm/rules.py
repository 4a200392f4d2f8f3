"""The rules for names and ports. Stands for what makes real renderers slow to start, template engines, schemas, an
interpreter's whole standard library: importing it compiles more than a thousand patterns, which takes a good part of a second.
"""

import re

RESERVED = [f"{zone}-{kind}-{number}" for zone in ("kube", "system", "legacy")
            for kind in ("node", "proxy", "cache", "queue", "store") for number in range(100)]

NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
TAKEN = [re.compile(rf"(^|-)({re.escape(name)}|{name.replace('-', '[-_.]')})(-[a-z0-9]{{1,10}})*$") for name in RESERVED]


def check(name, values):
    """Gives what is wrong with an object, or nothing."""
    if not NAME.fullmatch(name):
        return f"{name}: a name has letters a-z, digits and dashes"
    if any(taken.search(name) for taken in TAKEN):
        return f"{name}: the name is reserved"
    if not values["port"].isdigit() or not 0 < int(values["port"]) < 65536:
        return f"{name}: port {values['port']} is none"
    return None
