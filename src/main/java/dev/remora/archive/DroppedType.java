package dev.remora.archive;

/// Words for the types of entries that are not unpacked.
final class DroppedType {
    private DroppedType() {}

    static String words(char type) {
        return switch (type) {
            case '1' -> "hard link";
            case '3' -> "character device";
            case '4' -> "block device";
            case '6' -> "named pipe";
            case '7' -> "contiguous file";
            case 'S' -> "sparse file";
            case 'g' -> "global header";
            default -> "type 0x" + Integer.toHexString(type);
        };
    }
}
