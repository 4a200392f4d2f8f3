package dev.remora.posix;

/// Numbers of `<fcntl.h>`. Two of them differ between processors.
final class OpenFlags {
    static final int READ = 0;
    static final int WRITE = 1;
    static final int READ_WRITE = 2;
    static final int CREATE = 0100;
    static final int EXCLUSIVE = 0200;
    static final int TRUNCATE = 01000;
    static final int NON_BLOCKING = 04000;
    static final int CLOSE_ON_EXEC = 02000000;
    static final int PATH_ONLY = 010000000;

    static final int AT_CWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_EMPTY_PATH = 0x1000;

    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    static final int DIRECTORY = directory(ARM);
    static final int NO_FOLLOW = noFollow(ARM);

    private OpenFlags() {}

    static int directory(boolean arm) {
        return arm ? 040000 : 0200000;
    }

    static int noFollow(boolean arm) {
        return arm ? 0100000 : 0400000;
    }
}
