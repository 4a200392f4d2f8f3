package dev.remora.workspace;

import java.util.Optional;

/// A tree that may be lent again. Mutable; of whoever holds it: a request, a check, or the pool under its lock.
final class PooledTree {
    private final TreeKey key;
    private final TreeIndex index;
    private Place place;
    private volatile Optional<String> checksum = Optional.empty();
    private TreeRemark remark = TreeRemark.NONE;
    private long mark;
    private long idleSince;
    private Optional<Openings> openings = Optional.empty();
    private boolean shared;

    PooledTree(TreeKey key, TreeIndex index, Place place) {
        this.key = key;
        this.index = index;
        this.place = place;
    }

    TreeKey key() {
        return key;
    }

    TreeIndex index() {
        return index;
    }

    Place place() {
        return place;
    }

    void moved(Place to) {
        place = to;
    }

    /// The SHA-256 of the archive that the tree equals; empty when it equals none.
    Optional<String> checksum() {
        return checksum;
    }

    void holds(Optional<String> archive, TreeRemark about) {
        checksum = archive;
        remark = about;
    }

    TreeRemark remark() {
        return remark;
    }

    /// See [TreeCheck].
    long mark() {
        return mark;
    }

    void markedAt(long now) {
        mark = now;
    }

    /// Empty where openings are not watched.
    Optional<Openings> openings() {
        return openings;
    }

    void watched(Openings by) {
        openings = Optional.of(by);
    }

    /// Somebody who lives longer than a request was let in: what he once opened he may still hold.
    void share() {
        shared = true;
    }

    /// Whether any file may have been changed without a sign, where mappings leave none.
    boolean mayHideChanges() {
        return shared || openings.filter(Openings::whole).isEmpty();
    }

    long idleSince() {
        return idleSince;
    }

    void rests(long now) {
        idleSince = now;
    }

    long bytes() {
        return index.bytes();
    }

    long entries() {
        return index.entries();
    }

    /// Forgets what it holds; its files are the caller's to remove.
    void forget() {
        index.clear();
        openings.ifPresent(Openings::close);
        openings = Optional.empty();
    }
}
