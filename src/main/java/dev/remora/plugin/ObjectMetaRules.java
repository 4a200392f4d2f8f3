package dev.remora.plugin;

import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.GoFields;
import dev.remora.yaml.YamlNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// `metadata` is a whole Kubernetes ObjectMeta to Argo CD: only its name is used, but all of it must decode.
final class ObjectMetaRules {
    private static final List<String> TEXTS =
            List.of("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion");
    private static final List<String> OWNER_TEXTS = List.of("apiVersion", "kind", "name", "uid");
    private static final List<String> MANAGER_TEXTS =
            List.of("manager", "operation", "apiVersion", "fieldsType", "subresource");
    private static final Pattern RFC_3339 =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final Pattern INT_64 = Pattern.compile("-?\\d{1,19}");

    private final String file;
    private final List<Problem> problems;

    ObjectMetaRules(String file, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
    }

    void check(GoFields metadata) {
        TEXTS.forEach(metadata::text);
        integer(metadata, "generation");
        integer(metadata, "deletionGracePeriodSeconds");
        time(metadata, "creationTimestamp");
        time(metadata, "deletionTimestamp");
        metadata.textMap("labels");
        metadata.textMap("annotations");
        metadata.texts("finalizers");
        for (GoFields owner : metadata.objects("ownerReferences")) {
            OWNER_TEXTS.forEach(owner::text);
            owner.bool("controller");
            owner.bool("blockOwnerDeletion");
        }
        for (GoFields manager : metadata.objects("managedFields")) {
            MANAGER_TEXTS.forEach(manager::text);
            time(manager, "time");
        }
    }

    private void integer(GoFields fields, String name) {
        Optional<YamlNode> value = fields.value(name);
        if (value.isPresent() && !(value.get() instanceof YamlNode.Number number && isInt64(number.json()))) {
            wrong(fields, name, value.get(), "int64");
        }
    }

    private static boolean isInt64(String json) {
        if (!INT_64.matcher(json).matches()) {
            return false;
        }
        try {
            Long.parseLong(json);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private void time(GoFields fields, String name) {
        Optional<YamlNode> value = fields.value(name);
        if (value.isPresent() && !(value.get() instanceof YamlNode.Text text && isTime(text.value()))) {
            wrong(fields, name, value.get(), "RFC 3339 time");
        }
    }

    private static boolean isTime(String text) {
        if (!RFC_3339.matcher(text).matches()) {
            return false;
        }
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private void wrong(GoFields fields, String name, YamlNode value, String wanted) {
        problems.add(Problem.at(
                new Where(file, value.line(), value.column()),
                fields.path() + "." + name + ": cannot unmarshal " + value.goKind() + " into a value of type "
                        + wanted));
    }
}
