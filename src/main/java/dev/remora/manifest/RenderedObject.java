package dev.remora.manifest;

/// One object as Argo CD's repo-server hands it to the controller. The array is shared, not copied: nobody writes to
/// it.
///
/// @param json compact, with sorted keys, as Go writes it
/// @param name what it is called
/// @param place where it comes from
@SuppressWarnings("ArrayRecordComponent") // objects are large, and none is compared
public record RenderedObject(byte[] json, ObjectName name, Place place) {

    /// What identifies an object in a cluster. Any of these may be empty: Argo CD's repo-server checks none but the
    /// kind.
    ///
    /// @param apiVersion as written, such as `apps/v1`
    /// @param name `generateName` where there is no `name`
    /// @param generated whether the cluster completes the name, so that it never clashes
    public record ObjectName(String apiVersion, String kind, String namespace, String name, boolean generated) {
        /// `apps` of `apps/v1`; empty for `v1`.
        public String group() {
            int slash = apiVersion.indexOf('/');
            return slash < 0 ? "" : apiVersion.substring(0, slash);
        }

        /// `Deployment/web`
        @Override
        public String toString() {
            return kind + "/" + name;
        }
    }

    /// Where an object comes from.
    ///
    /// @param source the source's place among the Application's sources, from 0
    /// @param file the file that holds it; empty: a command's output
    /// @param document counts the documents of the file or output from 1
    /// @param line where the document begins, from 1; 0 where nobody knows
    public record Place(int source, String file, int document, int line) {
        @Override
        public String toString() {
            String where = file.isEmpty() ? "document " + document : file;
            return where + (line > 0 ? (file.isEmpty() ? " (line " + line + " of the output)" : ":" + line) : "");
        }
    }
}
