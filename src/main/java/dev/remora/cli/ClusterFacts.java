package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.render.KubeFacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What flags and files say of the cluster. A flag wins over files for the version; what it serves is the sum of all.
final class ClusterFacts {
    /// What a cluster serves is some hundred lines.
    private static final int MOST_BYTES = 4 << 20;

    private ClusterFacts() {}

    static KubeFacts of(SettingValues settings, Console console) {
        String version = settings.text(FolderSettings.KUBE_VERSION);
        List<String> served =
                new ArrayList<>(ApplicationOptions.apiVersions(settings.list(FolderSettings.API_VERSIONS)));
        for (String name : settings.list(ApplicationSettings.CLUSTER_FACTS)) {
            KubeFacts told = KubeFacts.parse(name, read(console.directory().resolve(name), name));
            version = version.isEmpty() ? told.version() : version;
            served.addAll(told.apiVersions());
        }
        return new KubeFacts(version, served);
    }

    private static String read(Path file, String shown) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] all = in.readNBytes(MOST_BYTES + 1);
            if (all.length > MOST_BYTES) {
                throw new Fault(FaultCode.USAGE, "--cluster-facts " + shown + " is larger than 4 MiB");
            }
            return new String(all, StandardCharsets.UTF_8);
        } catch (IOException e) {
            String why = Files.exists(file) ? Fault.words(e) : "no such file";
            throw new Fault(FaultCode.USAGE, "--cluster-facts " + shown + " cannot be read: " + why, e);
        }
    }
}
