package dev.remora.render;

import dev.remora.git.LoginLoans;
import dev.remora.posix.Bytes;
import dev.remora.posix.EnvironmentVariable;
import dev.remora.process.Cancellation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a plugin host is asked about one folder.
///
/// @param application the Application's name
/// @param path the application's folder below the root, as `spec.source.path`
/// @param project the Application's AppProject
/// @param environment what the repo-server would send, in order
/// @param timeout the time that the caller gives; empty: no limit
/// @param scope what of the folder is sent for generation
/// @param logins what a plugin may borrow while it generates
/// @param beside folders of other repositories that its commands may read
/// @param sent what is known of the folder's files; empty: they have to be read
public record RenderRequest(
        SourceFolder folder,
        String application,
        Bytes path,
        String project,
        List<EnvironmentVariable> environment,
        Optional<Duration> timeout,
        Cancellation cancellation,
        SendScope scope,
        LoginLoans logins,
        List<Bytes> beside,
        Optional<SentTree> sent) {
    public RenderRequest {
        environment = List.copyOf(environment);
        beside = List.copyOf(beside);
    }

    /// Sends the whole folder, and lends nothing.
    public RenderRequest(
            SourceFolder folder,
            String application,
            Bytes path,
            String project,
            List<EnvironmentVariable> environment,
            Optional<Duration> timeout,
            Cancellation cancellation) {
        this(
                folder,
                application,
                path,
                project,
                environment,
                timeout,
                cancellation,
                new SendScope.Whole(),
                LoginLoans.NONE,
                List.of(),
                Optional.empty());
    }

    public RenderRequest sending(SendScope part) {
        return new RenderRequest(
                folder, application, path, project, environment, timeout, cancellation, part, logins, beside, sent);
    }

    public RenderRequest lending(LoginLoans loans) {
        return new RenderRequest(
                folder, application, path, project, environment, timeout, cancellation, scope, loans, beside, sent);
    }

    /// With what is known of its files.
    RenderRequest of(SentTree tree) {
        return new RenderRequest(
                folder,
                application,
                path,
                project,
                environment,
                timeout,
                cancellation,
                scope,
                logins,
                beside,
                Optional.of(tree));
    }

    /// With these variables instead.
    RenderRequest telling(List<EnvironmentVariable> variables) {
        return new RenderRequest(
                folder, application, path, project, variables, timeout, cancellation, scope, logins, beside, sent);
    }

    RenderRequest reading(List<Bytes> folders) {
        return new RenderRequest(
                folder, application, path, project, environment, timeout, cancellation, scope, logins, folders, sent);
    }

    /// The same with the scope applied: the folder and the path that generation gets.
    public RenderRequest narrowed() {
        SendScope.Narrowed narrowed = scope.narrow(folder, path);
        return new RenderRequest(
                narrowed.folder(),
                application,
                narrowed.application(),
                project,
                environment,
                timeout,
                cancellation,
                new SendScope.Whole(),
                logins,
                beside,
                sent);
    }

    /// With variables behind those that are there.
    RenderRequest with(List<EnvironmentVariable> more) {
        List<EnvironmentVariable> all = new java.util.ArrayList<>(environment);
        all.addAll(more);
        return new RenderRequest(
                folder, application, path, project, all, timeout, cancellation, scope, logins, beside, sent);
    }
}
