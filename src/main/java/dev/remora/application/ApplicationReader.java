package dev.remora.application;

import dev.remora.application.Application.Destination;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Proposal;
import dev.remora.fault.Where;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads an Application that was parsed already. All its faults are reported at once.
public final class ApplicationReader {
    private static final String API_VERSION = "argoproj.io/v1alpha1";
    private static final String KIND = "Application";
    private static final String DEFAULT_PROJECT = "default";
    /// What Kubernetes allows for an object's name.
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    private static final int MOST_NAME = 253;
    /// Far more than any Application has; each costs a fetch.
    private static final int MOST_SOURCES = 1000;

    private static final List<String> SPEC = List.of(
            "source",
            "sources",
            "destination",
            "project",
            "syncPolicy",
            "ignoreDifferences",
            "info",
            "revisionHistoryLimit",
            "sourceHydrator");

    private final String file;
    private final List<Problem> problems = new ArrayList<>();

    private ApplicationReader(String file) {
        this.file = file;
    }

    /// Whether a document is meant to be an Application, whatever its version.
    public static boolean isApplication(YamlNode document) {
        return document instanceof YamlNode.Mapping mapping
                && mapping.text("kind").filter(KIND::equals).isPresent()
                && mapping.text("apiVersion")
                        .filter(v -> v.startsWith("argoproj.io/"))
                        .isPresent();
    }

    /// The Application of a document.
    ///
    /// @throws Fault APPLICATION_INVALID with every problem
    public static Application read(String file, YamlNode document) {
        return new ApplicationReader(file).application(document);
    }

    private Application application(YamlNode document) {
        GoFields top = GoFields.ofYaml(document, file, problems);
        if (!top.text("apiVersion").equals(API_VERSION)) {
            problem(top, "apiVersion", " is \"" + top.text("apiVersion") + "\"", "write " + API_VERSION);
        }
        GoFields metadata = top.object("metadata");
        checkName(metadata);
        GoFields spec = top.object("spec");
        unknown(spec);
        if (spec.has("sourceHydrator")) {
            problem(
                    spec,
                    "sourceHydrator",
                    " is not rendered: its manifests are made by Argo CD's hydrator and kept in Git",
                    "render its drySource as an Application with a source of its own");
        }
        boolean several = spec.has("sources") && !spec.objects("sources").isEmpty();
        List<ApplicationSource> sources = several ? sources(spec) : source(spec);
        GoFields destination = spec.object("destination");
        Application application = new Application(
                new Where(file, Math.max(1, document.line()), Math.max(1, document.column())),
                metadata.text("name"),
                metadata.text("namespace"),
                spec.text("project").isEmpty() ? DEFAULT_PROJECT : spec.text("project"),
                new Destination(destination.text("server"), destination.text("name"), destination.text("namespace")),
                sources,
                several,
                metadata.textMap("annotations"),
                metadata.textMap("labels"));
        if (!problems.isEmpty()) {
            throw new Fault(FaultCode.APPLICATION_INVALID, problems);
        }
        return application;
    }

    private void checkName(GoFields metadata) {
        String name = metadata.text("name");
        if (name.isEmpty()) {
            problem(metadata, "name", " is missing", "name the Application");
        } else if (name.length() > MOST_NAME || !NAME.matcher(name).matches()) {
            problem(
                    metadata,
                    "name",
                    " is no name that Kubernetes takes",
                    "write lower-case letters, digits, - and ., at most " + MOST_NAME);
        }
        String namespace = metadata.text("namespace");
        if (!namespace.isEmpty() && !NAME.matcher(namespace).matches()) {
            problem(metadata, "namespace", " is no name that Kubernetes takes", "write the namespace's name");
        }
    }

    private void unknown(GoFields spec) {
        for (YamlNode.Entry entry : spec.unknown(SPEC)) {
            problems.add(Problem.at(
                    new Where(file, entry.line(), entry.column()),
                    "spec." + entry.key() + " is unknown" + Proposal.questionAndAll(entry.key(), "keys", SPEC)));
        }
    }

    private List<ApplicationSource> source(GoFields spec) {
        if (!spec.has("source")) {
            if (!spec.has("sourceHydrator")) {
                problem(spec, "source", " is missing", "say where the manifests come from: source: {repoURL: …}");
            }
            return List.of();
        }
        return List.of(source(spec.object("source"), "spec.source"));
    }

    private List<ApplicationSource> sources(GoFields spec) {
        List<GoFields> all = spec.objects("sources");
        if (all.size() > MOST_SOURCES) {
            problem(spec, "sources", " has " + all.size() + " sources", "write at most " + MOST_SOURCES);
            return List.of();
        }
        List<ApplicationSource> sources = new ArrayList<>();
        Set<String> refs = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            ApplicationSource source = source(all.get(i), "spec.sources[" + i + "]");
            if (!source.ref().isEmpty() && !refs.add(source.ref())) {
                problem(all.get(i), "ref", " is \"" + source.ref() + "\" again", "give each source its own ref");
            }
            sources.add(source);
        }
        return sources;
    }

    private ApplicationSource source(GoFields fields, String path) {
        ApplicationSource source = SourceFields.of(fields.node(), path, this::wrong);
        if (source.repoUrl().isEmpty()) {
            problem(fields, "repoURL", " is missing", "write the repository's address");
        }
        if (source.explicitTypes().size() > 1) {
            problems.add(Problem.at(
                    new Where(file, fields.node().line(), fields.node().column()),
                    path + ": multiple application sources defined: " + String.join(",", source.explicitTypes()),
                    "keep one of them"));
        }
        return source;
    }

    private void wrong(YamlNode node, String path, String wanted) {
        problems.add(Problem.at(
                new Where(file, node.line(), node.column()),
                path + ": cannot unmarshal " + node.goKind() + " into a value of type " + wanted,
                wanted.equals("string") ? "put it in quotes" : "see Argo CD's Application specification"));
    }

    private void problem(GoFields fields, String name, String what, String advice) {
        String at = fields.path().isEmpty() ? name : fields.path() + "." + name;
        problems.add(Problem.at(fields.where(name), at + what, advice));
    }
}
