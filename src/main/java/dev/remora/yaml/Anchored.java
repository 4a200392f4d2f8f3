package dev.remora.yaml;

import org.jspecify.annotations.Nullable;

/// What an anchor names. `node` is absent while its collection is still open; an anchor of the same name inside it then
/// takes the name, also for what follows. Changes once, when the collection is closed.
final class Anchored {
    @Nullable
    YamlNode node;
    /// Nodes that it stands for, see [AliasGuard].
    long size;

    final boolean sequence;

    /// A collection that is open yet.
    Anchored(boolean sequence) {
        this.sequence = sequence;
    }

    Anchored(YamlNode scalar) {
        this.node = scalar;
        this.size = 1;
        this.sequence = false;
    }
}
