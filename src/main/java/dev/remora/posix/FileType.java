package dev.remora.posix;

/// What a name stands for, without following it.
public enum FileType {
    REGULAR,
    DIRECTORY,
    SYMLINK,
    FIFO,
    SOCKET,
    CHARACTER_DEVICE,
    BLOCK_DEVICE,
    /// The file system does not say before one asks for the status.
    UNKNOWN;

    private static final int FORMAT_SHIFT = 12;

    /// From `st_mode`, or from a directory entry's type, which are the same numbers twelve bits apart.
    static FileType ofMode(int mode) {
        return ofEntry(mode >> FORMAT_SHIFT & 0xF);
    }

    static FileType ofEntry(int type) {
        return switch (type) {
            case 1 -> FIFO;
            case 2 -> CHARACTER_DEVICE;
            case 4 -> DIRECTORY;
            case 6 -> BLOCK_DEVICE;
            case 8 -> REGULAR;
            case 10 -> SYMLINK;
            case 12 -> SOCKET;
            default -> UNKNOWN;
        };
    }
}
