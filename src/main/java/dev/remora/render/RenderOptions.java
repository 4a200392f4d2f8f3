package dev.remora.render;

import dev.remora.application.Application;
import dev.remora.manifest.Tracking;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is the same for every Application of a run.
///
/// @param exclusions patterns of `--plugin-tar-exclude`
/// @param controlPlane the namespace of Argo CD itself: Applications elsewhere are called `<namespace>_<name>`
/// @param tracking how objects are marked; the Application's name and namespace are put in for each
/// @param sending which part of a repository plugins get
/// @param timeout the time that the caller gives to each source; empty: no limit
public record RenderOptions(
        KubeFacts kube,
        List<String> exclusions,
        String controlPlane,
        Tracking tracking,
        Sending sending,
        Optional<Duration> timeout) {
    /// Which part of a repository plugins get where an Application has the annotation
    /// `argocd.argoproj.io/manifest-generate-paths`.
    public enum Sending {
        WHOLE,
        ANNOTATION,
        LISTED
    }

    public RenderOptions {
        exclusions = List.copyOf(exclusions);
    }

    SendScope scopeOf(Application application) {
        return application
                .manifestGeneratePaths()
                .<SendScope>map(paths -> switch (sending) {
                    case WHOLE -> new SendScope.Whole();
                    case ANNOTATION -> new SendScope.Annotation(paths);
                    case LISTED -> new SendScope.Listed(paths);
                })
                .orElseGet(SendScope.Whole::new);
    }

    /// The marks of one Application's objects.
    public Tracking trackingOf(Application application) {
        return new Tracking(
                tracking.method(),
                tracking.labelKey(),
                tracking.installationId(),
                application.instanceName(controlPlane),
                application.destination().namespace());
    }
}
