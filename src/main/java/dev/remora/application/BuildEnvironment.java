package dev.remora.application;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.posix.EnvironmentVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What Argo CD tells every plugin about the Application: eleven variables in a fixed order, sent even when empty
/// (docs/spec/environment.md, "Build environment").
///
/// @param appName the Application's name, or `<namespace>_<name>` outside the control-plane namespace
/// @param namespace the *destination* namespace
/// @param kubeVersion the cluster's version as it reports it, or empty
public record BuildEnvironment(
        String appName,
        String namespace,
        String project,
        String revision,
        String repoUrl,
        String path,
        String targetRevision,
        String kubeVersion,
        List<String> apiVersions) {
    private static final int SHORT = 7;
    private static final int SHORT_8 = 8;

    /// The numbers of a version, after an optional `v`, as far as they are joined by dots.
    private static final Pattern VERSION = Pattern.compile("v?(0|[1-9][0-9]*)\\.([0-9]+)((?:\\.[0-9]+)*).*");

    public BuildEnvironment {
        kubeVersion = numericVersion(kubeVersion);
        apiVersions = List.copyOf(new TreeSet<>(apiVersions));
    }

    /// The variables in Argo CD's order.
    public List<EnvironmentVariable> variables() {
        List<EnvironmentVariable> all = new ArrayList<>(11);
        asMap().forEach((name, value) -> all.add(EnvironmentVariable.of(name, value)));
        return all;
    }

    /// `text` with `$NAME` and `${NAME}` replaced as Go's `os.Expand` does, an unknown name by nothing. Not recursive.
    public String substitute(String text) {
        return GoExpand.expand(text, new HashMap<>(asMap())::get);
    }

    private Map<String, String> asMap() {
        Map<String, String> all = new java.util.LinkedHashMap<>();
        all.put("ARGOCD_APP_NAME", appName);
        all.put("ARGOCD_APP_NAMESPACE", namespace);
        all.put("ARGOCD_APP_PROJECT_NAME", project);
        all.put("ARGOCD_APP_REVISION", revision);
        all.put("ARGOCD_APP_REVISION_SHORT", head(revision, SHORT));
        all.put("ARGOCD_APP_REVISION_SHORT_8", head(revision, SHORT_8));
        all.put("ARGOCD_APP_SOURCE_REPO_URL", repoUrl);
        all.put("ARGOCD_APP_SOURCE_PATH", path);
        all.put("ARGOCD_APP_SOURCE_TARGET_REVISION", targetRevision);
        all.put("KUBE_VERSION", kubeVersion);
        all.put("KUBE_API_VERSIONS", String.join(",", apiVersions));
        return all;
    }

    private static String head(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }

    /// `v1.30.2+k3s1` → `1.30.2`; empty stays empty.
    private static String numericVersion(String version) {
        if (version.isEmpty()) {
            return "";
        }
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.matches()) {
            throw new Fault(
                    FaultCode.USAGE,
                    "could not parse kubernetes version \"" + version + "\": two numbers are needed, as in 1.30");
        }
        return numbers.group(1) + "." + numbers.group(2) + numbers.group(3);
    }
}
