package dev.remora.plugin;

import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.glob.FilePathGlob;
import dev.remora.yaml.GoFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Variables that `remora.cache.ignore` declares irrelevant and that the definition's own commands name: an answer made
/// for one value would be given for another. Only the text of the definition is looked at; what a script reads is not
/// seen.
final class IgnoredVariables {
    /// As variables are spelled, so that a pattern does not meet every word of a script.
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z0-9_]+\\b");

    private IgnoredVariables() {}

    static List<Problem> in(GoFields top, String file) {
        Map<String, String> used = new LinkedHashMap<>();
        for (String key : List.of("init", "generate")) {
            GoFields command = top.object("spec").object(key);
            for (String part : List.of("command", "args")) {
                command.texts(part).forEach(text -> names(text).forEach(name -> used.putIfAbsent(name, "spec." + key)));
            }
        }
        List<Problem> notes = new ArrayList<>();
        GoFields cache = top.object("remora").object("cache");
        if (cache.bool("results")) {
            RemoraBlock.each(cache, "ignore", (node, pattern) -> {
                Optional<String> name = used.keySet().stream()
                        .filter(each -> FilePathGlob.match(pattern, each))
                        .findFirst();
                name.ifPresent(found -> notes.add(Problem.at(
                        new Where(file, node.line(), node.column()),
                        "remora.cache.ignore takes " + found + " for irrelevant, and " + used.get(found)
                                + " uses it: an answer made for one value may be given for another",
                        "remove it from the list unless its value changes nothing")));
            });
        }
        return notes;
    }

    private static List<String> names(String text) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            names.add(name.group());
        }
        return names;
    }
}
