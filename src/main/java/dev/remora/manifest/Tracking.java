package dev.remora.manifest;

/// How Argo CD marks the objects of an Application as its own (docs/spec/post-processing.md).
///
/// @param method which mark
/// @param labelKey the label of the label methods; empty: nothing is marked, whatever the method
/// @param installationId which of several Argo CDs of one cluster; empty: none
/// @param application the Application's name as Argo CD calls it; empty: nothing is marked
/// @param namespace the destination's, for objects that name none
public record Tracking(Method method, String labelKey, String installationId, String application, String namespace) {
    /// What Argo CD takes where nothing is configured.
    public static final String DEFAULT_LABEL_KEY = "app.kubernetes.io/instance";

    /// The values of Argo CD's `application.resourceTrackingMethod`.
    public enum Method {
        ANNOTATION("annotation"),
        LABEL("label"),
        ANNOTATION_AND_LABEL("annotation+label");

        private final String word;

        Method(String word) {
            this.word = word;
        }

        /// As it is configured.
        public String word() {
            return word;
        }

        /// What Argo CD makes of a configured word: all that it does not know is the annotation.
        public static Method of(String word) {
            return switch (word) {
                case "label" -> LABEL;
                case "annotation+label" -> ANNOTATION_AND_LABEL;
                default -> ANNOTATION;
            };
        }
    }

    /// As Argo CD is installed: by annotation, alone in its cluster.
    public static Tracking standard(String application, String namespace) {
        return new Tracking(Method.ANNOTATION, DEFAULT_LABEL_KEY, "", application, namespace);
    }

    boolean marks() {
        return !labelKey.isEmpty() && !application.isEmpty();
    }
}
