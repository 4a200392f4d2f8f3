package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.application.SourceOverrides;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads what a repository says about a source: the files for all Applications, then the one for this.
final class Overrides {
    /// Settings are a page of text.
    private static final int MOST_BYTES = 1 << 20;

    private Overrides() {}

    /// @param instanceName as Argo CD calls the Application
    static EffectiveSource read(ApplicationSource source, ApplicationFolder folder, String instanceName) {
        SourceOverrides overrides = new SourceOverrides(source);
        List<String> files = new ArrayList<>();
        for (String name : List.of(SourceOverrides.FOR_ALL, SourceOverrides.forApplication(instanceName))) {
            Path file = folder.folder().resolve(name);
            if (Files.exists(file) && !Files.isDirectory(file)) {
                String shown = folder.root().relativize(file).toString();
                overrides.apply(shown, bytes(folder, file, shown));
                files.add(shown);
            }
        }
        return files.isEmpty()
                ? EffectiveSource.of(source)
                : new EffectiveSource(source, overrides.result(), files, overrides.changes());
    }

    /// A link is followed, but not out of the repository.
    private static byte[] bytes(ApplicationFolder folder, Path file, String shown) {
        try {
            Path real = file.toRealPath();
            if (!real.startsWith(folder.root().toRealPath())) {
                throw new Fault(FaultCode.PATH_OUTSIDE, shown + " is a link that leaves the repository");
            }
            try (InputStream in = Files.newInputStream(real)) {
                byte[] all = in.readNBytes(MOST_BYTES + 1);
                if (all.length > MOST_BYTES) {
                    throw new Fault(FaultCode.APPLICATION_INVALID, shown + " is larger than 1 MiB");
                }
                return all;
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.APPLICATION_INVALID, shown + " cannot be read: " + Fault.words(e), e);
        }
    }
}
