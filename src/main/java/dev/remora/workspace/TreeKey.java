package dev.remora.workspace;

/// Which trees may be lent to a request.
///
/// @param variant everything besides the archive that decides what unpacking makes of it: limits, modes, how links are
///     kept, which entries are wanted. Two requests with the same text get the same tree from the same archive
public record TreeKey(TreeOwner owner, String variant) {
    /// As a record's own, which the quick compiler makes slow: every call compares.
    @Override
    public boolean equals(Object other) {
        return other instanceof TreeKey key && variant.equals(key.variant) && owner.equals(key.owner);
    }

    @Override
    public int hashCode() {
        return 31 * owner.hashCode() + variant.hashCode();
    }
}
