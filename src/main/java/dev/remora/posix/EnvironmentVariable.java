package dev.remora.posix;

/// One variable of a process: a name and a value, any bytes but NUL.
public record EnvironmentVariable(Bytes name, Bytes value) {
    public static EnvironmentVariable of(String name, String value) {
        return new EnvironmentVariable(Bytes.utf8(name), Bytes.utf8(value));
    }

    /// `NAME=VALUE`, as a process gets it.
    public Bytes assignment() {
        byte[] all = new byte[name.length() + 1 + value.length()];
        System.arraycopy(name.toArray(), 0, all, 0, name.length());
        all[name.length()] = '=';
        System.arraycopy(value.toArray(), 0, all, name.length() + 1, value.length());
        return Bytes.of(all);
    }
}
