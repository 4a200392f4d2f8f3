package dev.remora.fault;

/// A place in a text: the file as its reader knows it, line and column from 1; 0 where unknown.
public record Where(String file, int line, int column) {
    public static Where file(String file) {
        return new Where(file, 0, 0);
    }

    /// `file:line:column`, without what is unknown.
    @Override
    public String toString() {
        if (line == 0) {
            return file;
        }
        return column == 0 ? file + ":" + line : file + ":" + line + ":" + column;
    }
}
