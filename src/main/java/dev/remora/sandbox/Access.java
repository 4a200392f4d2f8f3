package dev.remora.sandbox;

import dev.remora.posix.Bytes;

/// One thing that a watched program asked of the kernel and that a strict fence may refuse; see [AccessWatch].
public sealed interface Access {
    /// The program that asked, by the kernel's short name of it.
    String program();

    /// What was done with a path.
    enum Use {
        READ,
        /// Reads the names in a folder.
        LIST,
        EXECUTE,
        WRITE,
        /// Makes, renames or removes an entry of the folder.
        CHANGE
    }

    /// Did something with a file or folder that is there.
    ///
    /// @param asked the absolute path as the program said it, cleaned as text
    /// @param real the same without links: what the kernel judges
    record File(Use use, Bytes asked, Bytes real, String program) implements Access {}

    /// Made a socket of this family (`AF_…`).
    record Socket(int family, String program) implements Access {
        public static final int UNIX = 1;
        public static final int INET = 2;
        public static final int INET6 = 10;
        public static final int NETLINK = 16;
    }

    /// Addressed somebody, or took an address.
    ///
    /// @param unix a Unix socket, by its path or with `@` by its abstract name; otherwise a host and port
    /// @param there false for a path where there is nothing
    record Peer(String address, boolean unix, boolean there, String program) implements Access {}

    /// A call that every strict fence refuses.
    record Forbidden(Syscall call, String program) implements Access {}
}
