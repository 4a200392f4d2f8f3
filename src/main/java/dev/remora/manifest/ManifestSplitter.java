package dev.remora.manifest;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.GoJson;
import dev.remora.yaml.JsonStream;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Splits a command's output into documents as Argo CD does; the rules are in `docs/spec/output.md`.
///
/// Output that begins with `{` is JSON, and keeps its text byte for byte; all else is YAML, document by document made
/// JSON with sorted keys. At most one document's tree and one copy of its text exist at a time beside the result.
/// Not for several threads: one object splits one output.
public final class ManifestSplitter {
    /// As far as upstream looks for the first character.
    private static final int JSON_GUESS_BYTES = 4096;
    /// Bytes that must be left where upstream looks for YAML behind broken JSON.
    private static final int MIN_YAML_TAIL = 4;

    private static final String CONTEXT = "failed to unmarshal manifest: ";
    private static final String CONVERSION = "error converting YAML to JSON: ";

    private final byte[] output;
    private final SplitOptions options;
    private final Optional<OutputGuard> guard;
    private final boolean objectsOnly;
    private final List<ManifestDocument> documents = new ArrayList<>();
    private final Findings findings = new Findings();
    private int number;
    private long resultBytes;

    private ManifestSplitter(byte[] output, SplitOptions options, Optional<OutputGuard> guard, boolean objectsOnly) {
        this.output = output;
        this.options = options;
        this.guard = guard;
        this.objectsOnly = objectsOnly;
    }

    /// The output without its one trailing newline, as Argo CD takes it.
    public static byte[] trimmed(byte[] stdout) {
        boolean newline = stdout.length > 0 && stdout[stdout.length - 1] == '\n';
        return newline ? Arrays.copyOf(stdout, stdout.length - 1) : stdout;
    }

    /// The documents of the output (already [trimmed][#trimmed]), null ones left out.
    public static List<ManifestDocument> split(byte[] output, SplitOptions options) {
        return new ManifestSplitter(output, options, Optional.empty(), false).split();
    }

    /// As [#split], each document checked by `guard` while it is at hand, so that it need not be read twice. All that
    /// the guard finds is told at once.
    public static List<ManifestDocument> split(byte[] output, SplitOptions options, OutputGuard guard) {
        return new ManifestSplitter(output, options, Optional.of(guard), false).split();
    }

    /// What a text holds up to where it goes wrong, if it does.
    ///
    /// @param failure OUTPUT_INVALID
    /// @param lost OUTPUT_LOST: the whole text was read, and some of it is dropped silently
    record Objects(List<ManifestDocument> documents, Optional<Fault> failure, Optional<Fault> lost) {}

    /// The documents of a text that should be nothing but objects.
    static Objects objects(byte[] text) {
        SplitOptions options = new SplitOptions(false, true, SplitOptions.DEFAULT_RESULT_BYTES);
        ManifestSplitter splitter = new ManifestSplitter(text, options, Optional.empty(), true);
        Optional<Fault> failure = Optional.empty();
        Optional<Fault> lost = Optional.empty();
        try {
            splitter.split();
        } catch (Fault fault) {
            switch (fault.code()) {
                case OUTPUT_INVALID -> failure = Optional.of(fault);
                case OUTPUT_LOST -> lost = Optional.of(fault);
                default -> throw fault;
            }
        }
        return new Objects(List.copyOf(splitter.documents), failure, lost);
    }

    private List<ManifestDocument> split() {
        if (!options.rawBytes()) {
            checkUtf8();
        }
        if (looksLikeJson()) {
            json();
        } else {
            yaml(new Chunks(output, 0, 1), Optional.empty());
        }
        findings.throwIfAny();
        return List.copyOf(documents);
    }

    private void checkUtf8() {
        int at = OutputText.firstMalformed(output);
        if (at >= 0) {
            throw new Fault(
                    FaultCode.OUTPUT_NOT_UTF8,
                    "the output holds a byte that is not UTF-8: byte %d (0x%02x) on line %d"
                            .formatted(at, output[at] & 0xFF, OutputText.lineOf(output, at)));
        }
    }

    private boolean looksLikeJson() {
        int end = Math.min(output.length, JSON_GUESS_BYTES);
        for (int i = 0; i < end; i += OutputText.length(output[i])) {
            if (!OutputText.isSpace(OutputText.codePoint(output, i))) {
                return output[i] == '{';
            }
        }
        return false;
    }

    private void json() {
        var stream = new JsonStream(output, 0, output.length, 1);
        int decoded = 0;
        int good = 0;
        int goodLine = 1;
        while (true) {
            switch (stream.next()) {
                case JsonStream.End() -> {
                    return;
                }
                case JsonStream.Value value -> {
                    decoded++;
                    good = value.to();
                    goodLine = value.endLine();
                    jsonDocument(value);
                }
                case JsonStream.Broken broken -> {
                    if (decoded > 1) {
                        throw failure(broken.goText(), broken);
                    }
                    yamlBehindJson(good, goodLine, broken);
                    return;
                }
            }
        }
    }

    private void jsonDocument(JsonStream.Value value) {
        number++;
        if (!(value.node() instanceof YamlNode.Null)) {
            int line = value.line();
            keep(Arrays.copyOfRange(output, value.from(), value.to()), value.node(), false, line);
        }
    }

    /// What is no JSON may be YAML, if no more than one value came before it: upstream looks on behind the first line
    /// break, or at the first character that is no white space.
    private void yamlBehindJson(int from, int line, JsonStream.Broken broken) {
        Fault otherwise = failure(
                broken.offset() == 0 ? broken.goText() : "json: offset " + broken.offset() + ": " + broken.goText(),
                broken);
        int at = from;
        int atLine = line;
        while (true) {
            int c = output.length - at < MIN_YAML_TAIL ? -1 : OutputText.codePoint(output, at);
            if (c < 0) {
                throw otherwise;
            }
            if (!OutputText.isSpace(c)) {
                break;
            }
            at += OutputText.length(output[at]);
            if (c == '\n') {
                atLine++;
                break;
            }
        }
        yaml(new Chunks(output, at, atLine), Optional.of(otherwise));
    }

    private static Fault failure(String text, JsonStream.Broken broken) {
        return new Fault(
                FaultCode.OUTPUT_INVALID,
                CONTEXT + text + " (line " + broken.line() + ", column " + broken.column() + " of the output)");
    }

    /// Reads the chunks; `instead` is told when the first of them cannot be read.
    private void yaml(Chunks chunks, Optional<Fault> instead) {
        boolean first = true;
        while (true) {
            try {
                if (!chunks.next()) {
                    return;
                }
                number++;
                yamlDocument(chunks);
            } catch (Fault fault) {
                if (first && instead.isPresent() && fault.code() == FaultCode.OUTPUT_INVALID) {
                    throw instead.get();
                }
                throw fault;
            }
            first = false;
        }
    }

    private void yamlDocument(Chunks chunks) {
        YamlReader.First first;
        try {
            first = new YamlReader("output", FaultCode.OUTPUT_INVALID)
                    .first(chunks.buffer(), 0, chunks.size(), chunks.line());
        } catch (Fault fault) {
            throw inOutput(fault);
        }
        if (first.lostLine() > 0 && !options.lostDocuments()) {
            findings.add(FaultCode.OUTPUT_LOST, lost(chunks, first.lostLine()));
        }
        if (first.root() instanceof YamlNode.Null) {
            return;
        }
        byte[] json;
        try {
            json = GoJson.bytes(first.root(), options.resultBytes() - resultBytes);
        } catch (Fault fault) {
            throw fault.code() == FaultCode.OUTPUT_INVALID ? fault.in(CONTEXT + CONVERSION) : fault;
        }
        keep(json, first.root(), first.aliases(), first.root().line());
    }

    private void requireObject(YamlNode root, int line) {
        try {
            PostProcessing.object(root);
        } catch (Fault fault) {
            throw new Fault(
                    FaultCode.OUTPUT_INVALID,
                    fault.problems().getFirst().message() + " (document " + number + ", line " + line
                            + " of the output)");
        }
    }

    private Fault inOutput(Fault fault) {
        Problem problem = fault.problems().getFirst();
        Where where = problem.where().orElse(Where.file("output"));
        return new Fault(
                FaultCode.OUTPUT_INVALID,
                CONTEXT + CONVERSION + goPrefix(problem, where) + problem.message() + " (document " + number + ", line "
                        + where.line() + ", column " + where.column() + " of the output)");
    }

    /// What go-yaml says has its name and a line; what is found later, while JSON is made, has not.
    private static String goPrefix(Problem problem, Where where) {
        return problem.message().startsWith("unsupported map key") ? "" : "yaml: line " + where.line() + ": ";
    }

    private Problem lost(Chunks chunks, int line) {
        return new Problem(
                Optional.empty(),
                "document " + number + " (line " + chunks.line()
                        + "): Argo CD would silently drop what follows from line " + line
                        + " on, for it reads one value between separators",
                Optional.of("put a line of three dashes before it, or allow the loss with --argocd=lost-documents"));
    }

    private void keep(byte[] json, YamlNode root, boolean aliases, int line) {
        if (objectsOnly) {
            requireObject(root, line);
        }
        resultBytes += json.length;
        if (resultBytes > options.resultBytes()) {
            throw new Fault(
                    FaultCode.OUTPUT_TOO_LARGE,
                    "the JSON text of the documents takes more than " + options.resultBytes() + " bytes");
        }
        var document = new ManifestDocument(
                json, number, line, KubernetesObjects.of(root).size());
        documents.add(document);
        guard.ifPresent(g -> g.inspect(document, root, aliases, findings));
    }
}
