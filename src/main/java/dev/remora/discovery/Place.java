package dev.remora.discovery;

import dev.remora.posix.Bytes;

/// Where the root of an application's repository lies when patterns are judged, whatever folder it really is: so a
/// pattern can leave the application and never the root, special characters in the real path mean nothing, and messages
/// are the same for a folder and for an archive.
final class Place {
    static final Bytes BASE = Bytes.utf8("/_cmp_server");
    static final Bytes ROOT = Bytes.utf8("/_cmp_server/<root>");

    private Place() {}
}
