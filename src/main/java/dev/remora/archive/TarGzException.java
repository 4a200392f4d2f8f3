package dev.remora.archive;

/// What is wrong with the bytes, as Go's `compress/gzip` and `archive/tar` word it. It never leaves the package: the
/// unpacker says where it happened and makes a fault of it.
final class TarGzException extends RuntimeException {
    private static final long serialVersionUID = 1;

    static final String UNEXPECTED_EOF = "unexpected EOF";
    static final String GZIP_HEADER = "gzip: invalid header";
    static final String GZIP_CHECKSUM = "gzip: invalid checksum";
    static final String TAR_HEADER = "archive/tar: invalid tar header";
    static final String TAR_FIELD_TOO_LONG = "archive/tar: header field too long";
    static final String TAR_SPARSE_TOO_LONG = "archive/tar: sparse map too long";

    static final String TAR_SPARSE_MISSING = "archive/tar: sparse file references non-existent data";
    static final String TAR_SPARSE_UNREFERENCED = "archive/tar: sparse file contains unreferenced data";

    private final boolean beforeData;

    TarGzException(String message) {
        this(message, false);
    }

    private TarGzException(String message, boolean beforeData) {
        super(message);
        this.beforeData = beforeData;
    }

    /// There is not even a first gzip header.
    static TarGzException beforeData(String message) {
        return new TarGzException(message, true);
    }

    boolean isBeforeData() {
        return beforeData;
    }
}
