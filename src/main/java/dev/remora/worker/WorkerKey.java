package dev.remora.worker;

/// Whom a worker serves. What one request leaves in its memory the next can see, so nobody else is served by it.
///
/// @param project the AppProject
/// @param digest of the plugin's definition
public record WorkerKey(String project, String digest) {
    public WorkerKey {
        if (project.isEmpty() || digest.isEmpty()) {
            throw new IllegalArgumentException("a worker serves one project and one definition");
        }
    }
}
