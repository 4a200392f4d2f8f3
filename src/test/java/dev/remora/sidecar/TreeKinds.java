package dev.remora.sidecar;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Which trees calls got, as their log lines tell, in order.
final class TreeKinds {
    private static final Pattern TREE = Pattern.compile("\"tree\":\"(\\w+)\"");

    private TreeKinds() {}

    static String in(String log) {
        return TREE.matcher(log).results().map(found -> found.group(1)).collect(Collectors.joining(" "));
    }
}
