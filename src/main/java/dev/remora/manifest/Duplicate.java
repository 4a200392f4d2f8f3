package dev.remora.manifest;

import java.util.List;

/// Two objects that are one in the cluster: Argo CD applies the last of them and warns.
public record Duplicate(RenderedObject first, RenderedObject last) {
    /// The duplicates among the objects of one Application, all its sources together.
    ///
    /// @param namespace the destination's, where objects go that name none
    public static List<Duplicate> among(List<RenderedObject> objects, String namespace) {
        return List.of();
    }

    /// A sentence with both places.
    public String warning() {
        return first.name() + " is rendered twice, by " + first.place() + " and " + last.place()
                + "; Argo CD applies the last one";
    }
}
