package dev.remora.discovery;

import dev.remora.archive.EntryPath;
import dev.remora.archive.EntrySink;
import dev.remora.archive.UnpackOptions;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;

/// Collects the names of an archive while it passes; no file is written and no content kept.
///
/// Files whose name the rule can never ask for are let go, so that an archive of a million files costs little. What
/// unpacking would refuse because of an earlier directory or link is refused here too; a clash with an earlier plain
/// file is not seen.
public final class NameTreeSink implements EntrySink {
    /// Bytes for names, links and their places: a million files with names of 25 letters.
    private static final int MOST_BYTES = 32 << 20;

    private final Bytes application;
    private final UnpackOptions options;
    private final Predicate<Bytes> wanted;
    private final NameTree tree = new NameTree(MOST_BYTES);

    NameTreeSink(Bytes application, UnpackOptions options, Predicate<Bytes> wanted) {
        this.application = application;
        this.options = options;
        this.wanted = wanted;
    }

    /// The application's folder, as the request names it.
    Bytes application() {
        return application;
    }

    NameTree tree() {
        return tree;
    }

    @Override
    public void directory(EntryPath path, int mode) {
        makeDirectory(holder(path, path.parent()), path.name(), path);
    }

    @Override
    public void symlink(EntryPath path, Bytes target) {
        List<Bytes> parent = path.parent();
        int holder = existing(parent);
        if (holder == NameNodes.NONE) {
            throw refused("error creating symlink \"" + path + "\": no such file or directory");
        }
        if (tree.nodes().findHashed(holder, path.name()) != NameNodes.NONE) {
            throw refused("error creating symlink \"" + path + "\": file exists");
        }
        tree.nodes().add(holder, NameNodes.LINK, path.name(), target);
    }

    @Override
    public void file(EntryPath path, int mode, long size) {
        int holder = holder(path, path.parent());
        int there = tree.nodes().findHashed(holder, path.name());
        if (there == NameNodes.NONE) {
            if (wanted.test(path.name())) {
                tree.nodes().add(holder, NameNodes.FILE, path.name(), Bytes.EMPTY);
            }
        } else if (tree.nodes().kind(there) == NameNodes.DIRECTORY) {
            throw refused("error creating file \"" + path + "\": is a directory");
        } else if (!options.throughLinks()) {
            throw refused("illegal filepath in archive: " + path + " would be written through a link");
        }
    }

    /// The directory that holds `path`; what is missing is made.
    private int holder(EntryPath path, List<Bytes> parent) {
        int at = tree.archive();
        for (int i = 0; i < parent.size(); i++) {
            at = makeDirectory(at, parent.get(i), path);
        }
        return at;
    }

    private int makeDirectory(int holder, Bytes name, EntryPath path) {
        int there = tree.nodes().findHashed(holder, name);
        if (there == NameNodes.NONE) {
            return tree.nodes().add(holder, NameNodes.DIRECTORY, name, Bytes.EMPTY);
        }
        if (tree.nodes().kind(there) == NameNodes.DIRECTORY) {
            return there;
        }
        int behind = options.throughLinks() ? tree.behind(there) : NameNodes.NONE;
        if (behind == NameNodes.NONE) {
            throw refused("illegal filepath in archive: " + path + " lies below the link " + name);
        }
        return behind;
    }

    private int existing(List<Bytes> parent) {
        int at = tree.archive();
        for (Bytes name : parent) {
            int there = tree.nodes().findHashed(at, name);
            boolean link = there != NameNodes.NONE && tree.nodes().kind(there) == NameNodes.LINK;
            at = link && options.throughLinks() ? tree.behind(there) : there;
            if (at == NameNodes.NONE || tree.nodes().kind(at) != NameNodes.DIRECTORY) {
                return NameNodes.NONE;
            }
        }
        return at;
    }

    private static Fault refused(String why) {
        return new Fault(FaultCode.ARCHIVE_INVALID, why);
    }

    @Override
    public void content(ByteBuffer part) {}

    @Override
    public void fileEnd() {}

    @Override
    public void dropped(EntryPath path, char type) {
        if (options.strict()) {
            throw refused("archive entry \"" + path + "\" has the type " + type
                    + ", which is not unpacked (--strict-archive)");
        }
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
}
