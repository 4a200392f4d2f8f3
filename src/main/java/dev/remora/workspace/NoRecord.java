package dev.remora.workspace;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.FileStatus;
import java.util.List;
import java.util.Optional;

/// Knows of nothing and keeps nothing.
final class NoRecord implements TreeRecord {
    @Override
    public boolean keeps() {
        return false;
    }

    @Override
    public boolean isOld(List<Bytes> place, Bytes name) {
        return false;
    }

    @Override
    public boolean adoptDirectory(Directory parent, List<Bytes> place, Bytes name, int mode) {
        return false;
    }

    @Override
    public boolean adoptLink(Directory parent, List<Bytes> place, Bytes name, Bytes text) {
        return false;
    }

    @Override
    public Optional<Bytes> oldFile(Directory parent, List<Bytes> place, Bytes name, int mode, long size) {
        return Optional.empty();
    }

    @Override
    public void adoptFile(List<Bytes> place, Bytes name) {}

    @Override
    public void dropFile(Directory parent, List<Bytes> place, Bytes name) {}

    @Override
    public void madeDirectory(List<Bytes> place, Bytes name, int mode) {}

    @Override
    public void madeLink(Directory parent, List<Bytes> place, Bytes name, Bytes text) {}

    @Override
    public void madeFile(List<Bytes> place, Bytes name, int mode, Bytes sha256, FileStatus status) {}

    @Override
    public void finish(Directory root) {}

    @Override
    public void modeSet(List<Bytes> place, FileStatus status) {}

    @Override
    public boolean makeRoom() {
        return false;
    }
}
