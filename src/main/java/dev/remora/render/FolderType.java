package dev.remora.render;

import dev.remora.application.ApplicationSource;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a folder is when neither the Application nor a plugin says so: by the names of its own files. Where
/// several tell, the last by the bytes of their names counts, as in Argo CD.
///
/// @param file the file that tells; empty for a plain directory
record FolderType(SourceType type, Optional<String> file) {
    private static final List<String> KUSTOMIZATIONS =
            List.of("kustomization.yaml", "kustomization.yml", "Kustomization");
    private static final String CHART = "Chart.yaml";
    private static final ApplicationSource.Directory PLAIN =
            new ApplicationSource.Directory(false, "", "", false, false);

    /// Looks at a folder that is there. Argo CD does not look through a link.
    static FolderType of(Path folder) {
        if (Files.isSymbolicLink(folder)) {
            return new FolderType(new SourceType.Directory(PLAIN), Optional.empty());
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> isChart(name) || isKustomization(name))
                    .max(Comparator.naturalOrder())
                    .map(FolderType::told)
                    .orElseGet(() -> new FolderType(new SourceType.Directory(PLAIN), Optional.empty()));
        } catch (IOException e) {
            throw new Fault(FaultCode.SOURCE_TYPE, "cannot list " + folder + ": " + Fault.words(e), e);
        }
    }

    private static FolderType told(String name) {
        return new FolderType(
                isKustomization(name) ? new SourceType.Kustomize() : new SourceType.Helm(), Optional.of(name));
    }

    /// `MyChart.yaml` too.
    private static boolean isChart(String name) {
        return name.endsWith(CHART);
    }

    private static boolean isKustomization(String name) {
        return KUSTOMIZATIONS.contains(name);
    }

    /// `Helm (Chart.yaml)`
    @Override
    public String toString() {
        String name = type.getClass().getSimpleName();
        return file.map(told -> name + " (" + told + ")").orElse(name);
    }
}
