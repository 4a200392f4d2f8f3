package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.FaultCode;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Folders, and what Argo CD's repo-server made of them.
final class DirectoryCases {
    private DirectoryCases() {}

    /// One of them.
    ///
    /// @param row all that is known of it
    record Case(YamlNode.Mapping row) {
        String text(String key) {
            return row.text(key).orElseThrow();
        }

        Optional<String> optional(String key) {
            return row.text(key);
        }

        List<String> manifests() {
            return ((YamlNode.Sequence) row.get("manifests").orElseThrow())
                    .items().stream()
                            .map(item -> ((YamlNode.Text) item).value())
                            .toList();
        }

        boolean has(String key) {
            return row.get(key).isPresent();
        }

        ApplicationSource.Directory settings() {
            YamlNode.Mapping given = (YamlNode.Mapping) row.get("directory").orElseThrow();
            return new ApplicationSource.Directory(
                    flag(given, "recurse"),
                    given.text("include").orElse(""),
                    given.text("exclude").orElse(""),
                    flag(given, "disableExtensionFilter"),
                    false);
        }

        private static boolean flag(YamlNode.Mapping given, String key) {
            return given.get(key).orElse(null) instanceof YamlNode.Bool flag && flag.value();
        }

        /// Makes the files below `root`.
        void write(Path root) throws IOException {
            for (YamlNode.Entry file : ((YamlNode.Mapping) row.get("files").orElseThrow()).entries()) {
                Path path = root.resolve(file.key());
                Files.createDirectories(path.getParent());
                if (file.value() instanceof YamlNode.Text text) {
                    Files.writeString(path, text.value());
                } else if (file.value() instanceof YamlNode.Mapping special) {
                    Optional<String> link = special.text("link");
                    if (link.isPresent()) {
                        Files.createSymbolicLink(path, Path.of(link.get()));
                    } else {
                        Files.write(
                                path,
                                Base64.getDecoder()
                                        .decode(special.text("base64").orElseThrow()));
                    }
                }
            }
        }
    }

    static List<Case> of(String name) throws IOException {
        Path file = Path.of("src/test/resources/directory", name);
        YamlNode all = new JsonReader(name, FaultCode.INTERNAL).read(Files.readAllBytes(file));
        return ((YamlNode.Sequence) ((YamlNode.Mapping) all).get("cases").orElseThrow())
                .items().stream().map(row -> new Case((YamlNode.Mapping) row)).toList();
    }
}
