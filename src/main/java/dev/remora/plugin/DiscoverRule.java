package dev.remora.plugin;

/// How a plugin recognises a folder that it wants. See `docs/spec/discovery.md`.
///
/// A definition may state several; only the first defined one counts, in the order in which they stand here.
public sealed interface DiscoverRule {
    /// The rule's place in `plugin.yaml`.
    String key();

    /// A pattern of Go's `filepath.Glob`, below the application's folder.
    record FileName(String pattern) implements DiscoverRule {
        @Override
        public String key() {
            return "spec.discover.fileName";
        }
    }

    /// A pattern of zglob, below the application's folder.
    record FindGlob(String pattern) implements DiscoverRule {
        @Override
        public String key() {
            return "spec.discover.find.glob";
        }
    }

    /// A command that prints something when it wants the folder it runs in.
    record FindCommand(CommandSpec command) implements DiscoverRule {
        @Override
        public String key() {
            return "spec.discover.find.command";
        }
    }
}
