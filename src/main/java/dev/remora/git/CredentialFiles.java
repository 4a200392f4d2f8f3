package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Secret;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads a [CredentialBook] from files of YAML: Secrets and ConfigMaps, also in lists, also several documents. What
/// is neither is passed over; all that is wrong is reported at once, and nothing of a value is shown.
public final class CredentialFiles {
    private static final int LONGEST_FILE = 16 << 20;
    private static final String TYPE_LABEL = "argocd.argoproj.io/secret-type";

    private final List<CredentialBook.Entry> repositories = new ArrayList<>();
    private final List<CredentialBook.Entry> templates = new ArrayList<>();
    private final Map<String, String> authorities = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private Optional<String> knownHosts = Optional.empty();

    private CredentialFiles() {}

    /// Reads all files into one book.
    ///
    /// @throws Fault GIT_CREDENTIALS with every problem of every file
    public static CredentialBook read(List<Path> files) {
        CredentialFiles reading = new CredentialFiles();
        files.forEach(reading::readFile);
        if (!reading.problems.isEmpty()) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, reading.problems);
        }
        return new CredentialBook(reading.repositories, reading.templates, reading.knownHosts, reading.authorities);
    }

    private void readFile(Path file) {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(LONGEST_FILE + 1);
        } catch (IOException e) {
            problems.add(Problem.of("cannot read " + file + ": " + Fault.words(e)));
            return;
        }
        if (text.length > LONGEST_FILE) {
            problems.add(Problem.of(file + " is longer than " + LONGEST_FILE + " bytes"));
            return;
        }
        YamlReader reader = new YamlReader(file.toString(), FaultCode.GIT_CREDENTIALS);
        byte[] padded = Arrays.copyOf(text, text.length + YamlReader.PADDING);
        int line = 1;
        try {
            while (true) {
                YamlReader.First document = reader.first(padded, offset(text, line), text.length, line);
                readObject(file, document.root());
                if (document.lostLine() <= line) {
                    return;
                }
                line = document.lostLine();
            }
        } catch (Fault fault) {
            problems.addAll(fault.problems());
        }
    }

    private static int offset(byte[] text, int line) {
        int at = 0;
        for (int seen = 1; seen < line && at < text.length; at++) {
            seen += text[at] == '\n' ? 1 : 0;
        }
        return at;
    }

    private void readObject(Path file, YamlNode node) {
        if (!(node instanceof YamlNode.Mapping object)) {
            return;
        }
        if (object.get("items").orElse(node) instanceof YamlNode.Sequence items) {
            items.items().forEach(item -> readObject(file, item));
            return;
        }
        String name =
                mapping(object, "metadata").flatMap(meta -> meta.text("name")).orElse("");
        switch (object.text("kind").orElse("")) {
            case "Secret" -> readSecret(file, object, name);
            case "ConfigMap" -> readConfigMap(object, name);
            default -> {}
        }
    }

    private void readSecret(Path file, YamlNode.Mapping object, String name) {
        String type = mapping(object, "metadata")
                .flatMap(meta -> mapping(meta, "labels"))
                .flatMap(labels -> labels.text(TYPE_LABEL))
                .orElse("");
        boolean repository = type.equals("repository");
        if (!repository && !type.equals("repo-creds")) {
            return;
        }
        String from = "the Secret " + name + " in " + file.getFileName();
        Map<String, Secret> fields = new HashMap<>();
        mapping(object, "data").ifPresent(data -> data.entries().forEach(entry -> decode(file, entry, fields)));
        mapping(object, "stringData").ifPresent(data -> data.entries().forEach(entry -> plain(file, entry, fields)));
        String kind = reveal(fields, "type");
        if (!kind.isEmpty() && !kind.equals("git")) {
            return; // Helm's and OCI's
        }
        String url = reveal(fields, "url");
        if (url.isBlank()) {
            problems.add(Problem.at(new Where(file.toString(), object.line(), object.column()), from + " has no url"));
            return;
        }
        (repository ? repositories : templates)
                .add(new CredentialBook.Entry(url, reveal(fields, "project"), fields, from));
    }

    private static String reveal(Map<String, Secret> fields, String name) {
        return Optional.ofNullable(fields.get(name)).map(Secret::reveal).orElse("");
    }

    private void decode(Path file, YamlNode.Entry entry, Map<String, Secret> fields) {
        if (entry.value() instanceof YamlNode.Text text) {
            try {
                byte[] value = Base64.getDecoder().decode(text.value().replaceAll("\\s", ""));
                fields.put(key(entry), new Secret(new String(value, StandardCharsets.UTF_8)));
                return;
            } catch (IllegalArgumentException notBase64) {
                wrong(file, entry, "is no base64; use stringData for plain text");
                return;
            }
        }
        wrong(file, entry, "is no string");
    }

    private void plain(Path file, YamlNode.Entry entry, Map<String, Secret> fields) {
        if (entry.value() instanceof YamlNode.Text text) {
            fields.put(key(entry), new Secret(text.value()));
        } else {
            wrong(file, entry, "is no string; put it in quotes");
        }
    }

    private void wrong(Path file, YamlNode.Entry entry, String what) {
        problems.add(Problem.at(new Where(file.toString(), entry.line(), entry.column()), entry.key() + " " + what));
    }

    private static String key(YamlNode.Entry entry) {
        return entry.key().toLowerCase(Locale.ROOT);
    }

    private void readConfigMap(YamlNode.Mapping object, String name) {
        Optional<YamlNode.Mapping> data = mapping(object, "data");
        if (name.equals("argocd-ssh-known-hosts-cm")) {
            knownHosts = data.flatMap(values -> values.text("ssh_known_hosts")).or(() -> knownHosts);
        } else if (name.equals("argocd-tls-certs-cm")) {
            data.ifPresent(values -> values.entries().forEach(entry -> {
                if (entry.value() instanceof YamlNode.Text text) {
                    authorities.put(entry.key(), text.value());
                }
            }));
        }
    }

    private static Optional<YamlNode.Mapping> mapping(YamlNode.Mapping object, String key) {
        return object.get(key)
                .flatMap(value -> value instanceof YamlNode.Mapping mapping ? Optional.of(mapping) : Optional.empty());
    }
}
