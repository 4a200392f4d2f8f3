package dev.remora.sandbox;

import dev.remora.posix.Bytes;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The Java runtime and our own classes: a thread behind a fence may need one that nobody used before.
final class OwnCode {
    private OwnCode() {}

    static List<Bytes> paths() {
        List<Bytes> all = new ArrayList<>();
        Stream.of("java.home", "java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .flatMap(value -> Stream.of(value.split(File.pathSeparator, -1)))
                .filter(path -> !path.isEmpty())
                .map(path -> new File(path).getAbsolutePath())
                .distinct()
                .map(Bytes::utf8)
                .forEach(all::add);
        return List.copyOf(all);
    }
}
