package dev.remora.manifest;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.yaml.JsonReader;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Refuses output that would do harm: nothing at all, what is no Kubernetes object, SOPS cipher text, forbidden text.
///
/// What it says names document, line, object and key, never a value.
public final class OutputGuard {
    /// How SOPS begins each encrypted value.
    private static final String CIPHER_TEXT = "ENC[AES256_GCM,";
    private static final String SOPS_BLOCK = "sops";
    /// Of a name in a message.
    private static final int SHOWN = 80;
    private static final int SHOWN_STDERR = 200;

    private final OutputRules rules;
    private final List<ForbiddenText> forbidden;

    /// A pattern that is not RE2 is a fault of the configuration.
    public OutputGuard(OutputRules rules) {
        this.rules = rules;
        var compiled = new ArrayList<ForbiddenText>();
        if (!rules.allowCipherText()) {
            compiled.add(new ForbiddenText(
                    text -> text.contains(CIPHER_TEXT),
                    "SOPS cipher text",
                    "decrypt before printing, or state remora: {output: {allowCipherText: true}}"));
        }
        for (String pattern : rules.forbid()) {
            Pattern forbid = compile(pattern);
            compiled.add(new ForbiddenText(
                    text -> forbid.matcher(text).find(),
                    "text that output.forbid refuses (" + pattern + ")",
                    "mend the command, or take the pattern out of remora.output.forbid"));
        }
        this.forbidden = List.copyOf(compiled);
    }

    private static Pattern compile(String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new Fault(
                    FaultCode.CONFIG_INVALID,
                    "output.forbid: " + pattern + " is no RE2 pattern: " + e.getDescription());
        }
    }

    /// Refuses an answer without any object; `stderr` is what the command said beside it, `stderrBytes` how much it
    /// was.
    public void checkNotEmpty(List<ManifestDocument> documents, String stderr, long stderrBytes) {
        if (rules.allowEmpty() || documents.stream().anyMatch(document -> document.objects() > 0)) {
            return;
        }
        String beside = stderrBytes == 0
                ? "it wrote nothing to standard error"
                : "it wrote " + stderrBytes + " bytes to standard error" + firstLine(stderr);
        String what = documents.isEmpty() ? "no object" : "only empty lists";
        throw new Fault(
                FaultCode.OUTPUT_EMPTY,
                new Problem(
                        Optional.empty(),
                        "the command ended with exit code 0 and printed " + what + "; " + beside
                                + "; an empty answer would delete the application's objects",
                        Optional.of("mend the command (a pipe without pipefail hides a failure), or state remora:"
                                + " {output: {allowEmpty: true}}")));
    }

    private static String firstLine(String stderr) {
        String line = stderr.strip().lines().findFirst().orElse("");
        return line.isEmpty() ? "" : ", first line: " + shortened(line, SHOWN_STDERR);
    }

    /// Checks documents that were split without this guard.
    public void check(List<ManifestDocument> documents) {
        var findings = new Findings();
        var reader = new JsonReader("output", FaultCode.OUTPUT_INVALID);
        for (ManifestDocument document : documents) {
            inspect(document, reader.read(document.json()), false, findings);
        }
        findings.throwIfAny();
    }

    /// Adds what is wrong with one document. `aliases` says that its tree may share parts.
    void inspect(ManifestDocument document, YamlNode root, boolean aliases, Findings findings) {
        Optional<List<YamlNode>> items = KubernetesObjects.items(root);
        if (items.isPresent()) {
            for (int i = 0; i < items.get().size(); i++) {
                String where = at(document, items.get().get(i)) + ", items[" + i + "]";
                inspectObject(where, items.get().get(i), findings);
            }
        } else {
            inspectObject(at(document, root), root, findings);
        }
        for (ForbiddenText text : forbidden) {
            text.find(
                    root,
                    aliases,
                    (path, line) -> findings.add(
                            FaultCode.OUTPUT_FORBIDDEN,
                            problem(
                                    "document " + document.number() + object(root) + ", line " + line + ": " + path
                                            + " holds " + text.what(),
                                    text.advice())));
        }
    }

    private void inspectObject(String where, YamlNode object, Findings findings) {
        if (rules.objectsOnly()) {
            missing(object)
                    .ifPresent(
                            what -> findings.add(
                                    FaultCode.OUTPUT_NOT_OBJECT,
                                    problem(
                                            where + ": no Kubernetes object: " + what,
                                            "print only objects on standard output; progress and warnings belong on standard error")));
        }
        if (!rules.allowCipherText()
                && object instanceof YamlNode.Mapping mapping
                && mapping.get(SOPS_BLOCK).orElse(null) instanceof YamlNode.Mapping) {
            findings.add(
                    FaultCode.OUTPUT_FORBIDDEN,
                    problem(
                            where + object(object) + ": a top-level sops block, so the object is still encrypted",
                            "decrypt before printing, or state remora: {output: {allowCipherText: true}}"));
        }
    }

    private static Optional<String> missing(YamlNode object) {
        if (!(object instanceof YamlNode.Mapping mapping)) {
            return Optional.of("it is " + article(object));
        }
        boolean kind = KubernetesObjects.kind(object).isEmpty();
        boolean version = KubernetesObjects.apiVersion(object).isEmpty();
        if (!kind && !version) {
            return Optional.empty();
        }
        List<String> keys = mapping.entries().stream()
                .limit(5)
                .map(entry -> shortened(entry.key(), SHOWN))
                .toList();
        String what = kind && version ? "apiVersion and kind are" : kind ? "kind is" : "apiVersion is";
        return Optional.of(what + " missing; it has the keys " + keys);
    }

    private static String article(YamlNode node) {
        return switch (node) {
            case YamlNode.Sequence _ -> "a list";
            case YamlNode.Null _ -> "null";
            case YamlNode.Text _ -> "a text";
            case YamlNode.Bool _ -> "a boolean";
            case YamlNode.Number _ -> "a number";
            case YamlNode.Mapping _ -> "a mapping";
        };
    }

    private static String at(ManifestDocument document, YamlNode node) {
        return "document " + document.number() + ", line " + node.line();
    }

    private static String object(YamlNode object) {
        String kind = KubernetesObjects.kind(object);
        String name = KubernetesObjects.name(object);
        return kind.isEmpty() ? "" : " (" + shortened(kind, SHOWN) + "/" + shortened(name, SHOWN) + ")";
    }

    private static Problem problem(String message, String advice) {
        return new Problem(Optional.empty(), message, Optional.of(advice));
    }

    static String shortened(String text, int length) {
        return text.length() > length ? text.substring(0, length) + "…" : text;
    }
}
