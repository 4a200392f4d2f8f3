package dev.remora.render;

import dev.remora.application.Application;
import dev.remora.application.ApplicationSource;
import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.application.PluginParameter;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The sources of an Application that have a `ref`, laid beside a plugin that declares `remora.refs: true`.
///
/// `$name/…` becomes the path of that source's files, in values of `plugin.env` and in parameters; `REMORA_REF_<NAME>`
/// holds the path.
final class RefSources implements AutoCloseable {
    private static final String VARIABLE = "REMORA_REF_";

    /// Nothing is laid beside.
    static final RefSources NONE = new RefSources(new LinkedHashMap<>());

    private final SequencedMap<String, SourceTree> trees;

    private RefSources(SequencedMap<String, SourceTree> trees) {
        this.trees = trees;
    }

    /// Lends them all, each for this render alone.
    static RefSources lend(Application application, SourceTrees from, Cancellation cancellation) {
        RefSources refs = new RefSources(new LinkedHashMap<>());
        try {
            for (ApplicationSource source : application.sources()) {
                if (!source.ref().isEmpty()) {
                    if (!source.chart().isEmpty()) {
                        throw new Fault(
                                FaultCode.SOURCE_NOT_YET,
                                "the source of $" + source.ref()
                                        + " is a Helm chart, which this version does not fetch");
                    }
                    refs.trees.put(source.ref(), from.lendAlone(source, application.project(), cancellation));
                }
            }
            return refs;
        } catch (RuntimeException e) {
            refs.close();
            throw e;
        }
    }

    /// The names of refs that a plugin block means to use, in the order of the sources.
    static List<String> named(Application application, PluginBlock block) {
        List<String> texts = texts(block);
        return application.sources().stream()
                .map(ApplicationSource::ref)
                .filter(name -> !name.isEmpty()
                        && texts.stream()
                                .anyMatch(text -> pattern(name).matcher(text).find()))
                .toList();
    }

    private static List<String> texts(PluginBlock block) {
        List<String> all = new ArrayList<>();
        block.env().forEach(entry -> all.add(entry.getValue()));
        for (PluginParameter parameter : block.parameters()) {
            parameter.string().ifPresent(all::add);
            parameter.array().ifPresent(all::addAll);
            parameter.map().ifPresent(map -> all.addAll(map.values()));
        }
        return all;
    }

    /// `$name` or `${name}`, with a slash or the end behind it.
    private static Pattern pattern(String name) {
        String quoted = Pattern.quote(name);
        return Pattern.compile("\\$(?:" + quoted + "|\\{" + quoted + "})(?=/|$)");
    }

    /// The block with paths in the place of refs.
    PluginBlock substituted(PluginBlock block) {
        // What is a dollar sign in a path must survive the substitution that follows for variables.
        UnaryOperator<String> inEnv = text -> replaced(text, path -> path.replace("$", "$$"));
        UnaryOperator<String> inParameter = text -> replaced(text, path -> path);
        return new PluginBlock(
                block.env().stream()
                        .map(entry -> Map.entry(entry.getKey(), inEnv.apply(entry.getValue())))
                        .toList(),
                block.parameters().stream()
                        .map(parameter -> changed(parameter, inParameter))
                        .toList());
    }

    private String replaced(String text, UnaryOperator<String> written) {
        String result = text;
        for (Map.Entry<String, SourceTree> ref : trees.entrySet()) {
            String path = written.apply(ref.getValue().folder().toString());
            result = pattern(ref.getKey()).matcher(result).replaceAll(Matcher.quoteReplacement(path));
        }
        return result;
    }

    private static PluginParameter changed(PluginParameter parameter, UnaryOperator<String> change) {
        Optional<SequencedMap<String, String>> map = parameter.map().map(values -> {
            SequencedMap<String, String> changed = new LinkedHashMap<>();
            values.forEach((key, value) -> changed.put(key, change.apply(value)));
            return changed;
        });
        return new PluginParameter(
                parameter.name(),
                parameter.string().map(change),
                map,
                parameter.array().map(values -> values.stream().map(change).toList()));
    }

    List<EnvironmentVariable> variables() {
        return trees.entrySet().stream()
                .map(ref -> EnvironmentVariable.of(
                        variable(ref.getKey()), ref.getValue().folder().toString()))
                .toList();
    }

    static String variable(String name) {
        return VARIABLE + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    List<Bytes> folders() {
        return trees.values().stream()
                .map(tree -> Bytes.utf8(tree.folder().toString()))
                .toList();
    }

    /// What counts as input beside the source itself.
    Stream<String> ids() {
        return trees.entrySet().stream()
                .map(ref -> ref.getKey() + " " + ref.getValue().id());
    }

    @Override
    public void close() {
        trees.values().forEach(SourceTree::close);
    }
}
