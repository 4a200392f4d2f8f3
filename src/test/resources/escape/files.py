"""Reads and writes what belongs to others: by path, by /proc, through links, by renaming."""

import ctypes
import os
import struct

from attempt import attempt, address, call, content, evidence, expect, libc, of_any_thread, report, target

HERE = os.getcwd()
AT_FDCWD = -100


def proc(entry, who="neighbourPid"):
    return "/proc/%d/%s" % (target(who), entry)


def outside(name):
    return os.path.join(target("outside"), name)


def own(name, text="own"):
    path = os.path.join(HERE, name)
    with open(path, "w") as file:
        file.write(text)
    return path


@attempt("read-by-path")
def read_by_path():
    return content(target("neighbourFolder") + "/secret")


@attempt("list-neighbour")
def list_neighbour():
    return os.listdir(target("neighbourFolder"))


@attempt("list-work-root")
def list_work_root():
    return os.listdir(target("workRoot"))


@attempt("read-upwards")
def read_upwards():
    """From the own folder up, by '..', as far as it goes."""
    path = HERE
    seen = []
    while path != "/" and len(seen) < 8:
        path = os.path.dirname(path)
        if path in ("", "/"):
            break
        seen.append(len(os.listdir(path)))
    return seen


@attempt("read-by-proc-root")
def read_by_proc_root():
    return content(proc("root") + target("neighbourFolder") + "/secret")


@attempt("read-by-proc-cwd")
def read_by_proc_cwd():
    return content(proc("cwd/secret"))


@attempt("read-by-proc-task")
def read_by_proc_task():
    return content(proc("task/%d/cwd/secret" % target("neighbourPid")))


@attempt("read-by-proc-fd")
def read_by_proc_fd():
    folder = proc("fd")
    for name in os.listdir(folder):
        if os.readlink(folder + "/" + name).endswith("/secret"):
            return content(folder + "/" + name)
    raise OSError(2, "no descriptor")


@attempt("learn-folder-name")
def learn_folder_name():
    return os.readlink(proc("cwd"))


@attempt("read-environ")
def read_environ():
    return content(proc("environ"))


@attempt("read-maps")
def read_maps():
    return content(proc("maps"))


def memory(pid, flags):
    """The first page of what the process maps first."""
    with open("/proc/%d/maps" % pid) as maps:
        first = int(maps.readline().split("-")[0], 16)
    descriptor = os.open("/proc/%d/mem" % pid, flags)
    return evidence(os.pread(descriptor, 64, first))


@attempt("read-mem")
def read_mem():
    return memory(target("neighbourPid"), os.O_RDONLY)


@attempt("open-mem")
def open_mem():
    """Without the map, which is a file of its own."""
    return os.open(proc("mem"), os.O_RDWR)


@attempt("read-server-environ")
def read_server_environ():
    return content(proc("environ", "serverPid"))


@attempt("read-server-mem")
def read_server_mem():
    return memory(target("serverPid"), os.O_RDONLY)


@attempt("read-server-fd")
def read_server_fd():
    """Where the server's descriptors lead."""
    return os.readlink(proc("fd/1", "serverPid"))


@attempt("read-starter-mem")
def read_starter_mem():
    """The server's memory, by the number of the thread that started us."""
    return of_any_thread(target("serverPid"), lambda thread: memory(thread, os.O_RDONLY))


@attempt("write-starter-mem")
def write_starter_mem():
    return of_any_thread(target("serverPid"), lambda thread: os.open("/proc/%d/mem" % thread, os.O_RDWR))


@attempt("read-starter-environ")
def read_starter_environ():
    return of_any_thread(target("serverPid"), lambda thread: content("/proc/%d/environ" % thread))


@attempt("read-starter-fd")
def read_starter_fd():
    """Where a descriptor of the server leads, such as a neighbour's output."""
    return of_any_thread(target("serverPid"), lambda thread: os.readlink("/proc/%d/fd/1" % thread))


@attempt("count-server-fds")
def count_server_fds():
    """Only their numbers."""
    return len(os.listdir(proc("fd", "serverPid")))


@attempt("read-token")
def read_token():
    return content(target("token"))


@attempt("read-beside-config")
def read_beside_config():
    return content(target("besideConfig"))


@attempt("read-outside")
def read_outside():
    return content(outside("secret"))


@attempt("read-through-symlink")
def read_through_symlink():
    os.symlink(target("neighbourFolder"), HERE + "/way-in")
    return content(HERE + "/way-in/secret")


@attempt("read-through-hard-link")
def read_through_hard_link():
    os.link(outside("secret"), HERE + "/second-name")
    return content(HERE + "/second-name")


@attempt("read-through-rename")
def read_through_rename():
    os.rename(outside("movable"), HERE + "/mine")
    got = content(HERE + "/mine")
    os.rename(HERE + "/mine", outside("movable"))
    return got


@attempt("read-by-bind-mount")
def read_by_bind_mount():
    os.mkdir(HERE + "/mounted")
    call("mount", target("outside").encode(), (HERE + "/mounted").encode(), 0, 4096, 0)
    return content(HERE + "/mounted/secret")


@attempt("exchange-folders")
def exchange_folders():
    """renameat2 with RENAME_EXCHANGE: their folder under our name."""
    os.makedirs(HERE + "/swap", exist_ok=True)
    there, here = outside("folder").encode(), (HERE + "/swap").encode()
    if libc.renameat2(AT_FDCWD, there, AT_FDCWD, here, 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")
    got = content(HERE + "/swap/inner")
    libc.renameat2(AT_FDCWD, there, AT_FDCWD, here, 2)
    return got


@attempt("write-outside")
def write_outside():
    with open(outside("written"), "w") as file:
        return file.write("x")


@attempt("write-tmp")
def write_tmp():
    path = "/tmp/escape-%d" % os.getpid()
    with open(path, "w") as file:
        file.write("x")
    os.unlink(path)
    return path


@attempt("write-shared-memory")
def write_shared_memory():
    path = "/dev/shm/escape-%d" % os.getpid()
    with open(path, "w") as file:
        file.write("x")
    os.unlink(path)
    return path


@attempt("write-through-symlink")
def write_through_symlink():
    os.symlink(outside("writable"), HERE + "/way-out")
    with open(HERE + "/way-out", "w") as file:
        return file.write("x")


@attempt("write-through-hard-link")
def write_through_hard_link():
    os.link(outside("writable"), HERE + "/other-name")
    with open(HERE + "/other-name", "w") as file:
        return file.write("x")


@attempt("link-out")
def link_out():
    os.link(own("to-link"), outside("linked"))
    return os.unlink(outside("linked"))


@attempt("rename-out")
def rename_out():
    os.rename(own("to-move"), outside("moved"))
    return os.unlink(outside("moved"))


@attempt("link-unnamed-file-out")
def link_unnamed_file_out():
    """O_TMPFILE, then a name elsewhere by /proc/self/fd."""
    descriptor = os.open(HERE, os.O_TMPFILE | os.O_RDWR, 0o600)
    name = b"/proc/self/fd/%d" % descriptor
    if libc.linkat(AT_FDCWD, name, AT_FDCWD, outside("named").encode(), 0x400) != 0:
        raise OSError(ctypes.get_errno(), "linkat")
    return os.unlink(outside("named"))


@attempt("unlink-outside")
def unlink_outside():
    os.unlink(outside("removable"))
    with open(outside("removable"), "w"):
        return "gone"


@attempt("truncate-outside")
def truncate_outside():
    return os.truncate(outside("writable"), 0)


@attempt("make-folder-in-work-root")
def make_folder_in_work_root():
    os.mkdir(target("workRoot") + "/squatter")
    return os.rmdir(target("workRoot") + "/squatter")


@attempt("make-fifo-outside")
def make_fifo_outside():
    os.mkfifo(outside("fifo"))
    return os.unlink(outside("fifo"))


@attempt("make-device")
def make_device():
    return os.mknod(HERE + "/memory", 0o20600, os.makedev(1, 1))


@attempt("replace-own-root")
def replace_own_root():
    """Puts another folder where the server expects this call's own."""
    os.rename(HERE, HERE + "-moved")
    return os.rename(HERE + "-moved", HERE)


@attempt("handle-to-outside")
def handle_to_outside():
    """A file by its handle, without a path to walk."""
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0), 136)
    mount = ctypes.c_int()
    call("name_to_handle_at", AT_FDCWD, outside("secret").encode(), address(handle), address(mount), 0)
    folder = os.open(HERE, os.O_RDONLY)
    return content("/proc/self/fd/%d" % call("open_by_handle_at", folder, address(handle), os.O_RDONLY))


@attempt("chmod-outside")
def chmod_outside():
    os.chmod(outside("writable"), 0o600)
    return expect(os.stat(outside("writable")).st_mode & 0o777 == 0o600, "mode changed")


@attempt("chmod-work-root")
def chmod_work_root():
    before = os.stat(target("workRoot")).st_mode & 0o7777
    os.chmod(target("workRoot"), before)
    return "mode set"


@attempt("chmod-own-parent")
def chmod_own_parent():
    parent = os.path.dirname(HERE)
    os.chmod(parent, os.stat(parent).st_mode & 0o7777)
    return "mode set"


@attempt("chmod-socket")
def chmod_socket():
    os.chmod(target("socket"), os.stat(target("socket")).st_mode & 0o7777)
    return "mode set"


@attempt("chmod-by-descriptor")
def chmod_by_descriptor():
    """Through an O_PATH descriptor's own name in /proc."""
    descriptor = os.open(outside("writable"), os.O_PATH)
    os.chmod("/proc/self/fd/%d" % descriptor, 0o600)
    return "mode set"


@attempt("set-times-outside")
def set_times_outside():
    os.utime(outside("writable"), (1, 1))
    return expect(os.stat(outside("writable")).st_mtime == 1, "times set")


@attempt("set-attribute-outside")
def set_attribute_outside():
    os.setxattr(outside("writable"), "user.escape", b"x")
    return os.removexattr(outside("writable"), "user.escape")


@attempt("watch-neighbour")
def watch_neighbour():
    """Names of files as they are made, by inotify."""
    watch = libc.inotify_init()
    if watch < 0 or libc.inotify_add_watch(watch, target("neighbourFolder").encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    return "watching"


@attempt("watch-by-fanotify")
def watch_by_fanotify():
    group = call("fanotify_init", 0x200, os.O_RDONLY)
    call("fanotify_mark", group, 1, 0x8 | 0x40000000, AT_FDCWD, target("neighbourFolder").encode())
    return "watching"


@attempt("write-oom-score")
def write_oom_score():
    with open(proc("oom_score_adj"), "w") as file:
        file.write("1000")
    return "first to be killed"


@attempt("write-sysctl")
def write_sysctl():
    with open("/proc/sys/kernel/domainname", "w") as file:
        return file.write("x")


report()
