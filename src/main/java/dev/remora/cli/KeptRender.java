package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.Stream;

/// The folder of `--keep`: the work folder as the commands left it, and a script that repeats them. Only its owner may
/// enter, because the script holds the environment as it was, secrets included.
///
/// @param folder absolute, by its real path
/// @param shown as people call it
record KeptRender(Path folder, String shown) {
    private static final int NAME_BYTES = 4;

    /// @param given the value of `--keep`; empty: `render-<random>` in the current folder
    static KeptRender make(String given, PluginReference plugin, Path directory) {
        if (plugin instanceof PluginReference.Socket) {
            throw new Fault(FaultCode.USAGE, "--keep needs the plugin's file: the work folder of a server is its own");
        }
        return make(given, directory);
    }

    static KeptRender make(String given, Path directory) {
        String name = given.isEmpty() ? "render-" + random() : given;
        Path folder = directory.resolve(name);
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            refuseUnlessEmpty(folder, name);
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--keep: cannot make " + name + ": " + Fault.words(e), e);
        }
        return new KeptRender(real(folder), name);
    }

    String sentence() {
        String script = shown.startsWith("/") ? shown : "./" + shown;
        return "kept " + shown + "; run " + script + "/replay.sh generate (it holds the environment, secrets included)";
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--keep: " + folder + ": " + Fault.words(e), e);
        }
    }

    private static void refuseUnlessEmpty(Path folder, String name) {
        if (!Files.isDirectory(folder)) {
            throw new Fault(FaultCode.USAGE, "--keep: " + name + " is no folder");
        }
        try (Stream<Path> entries = Files.list(folder)) {
            if (entries.findAny().isPresent()) {
                throw new Fault(FaultCode.USAGE, "--keep: " + name + " is not empty");
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, "--keep: cannot read " + name + ": " + Fault.words(e), e);
        }
    }

    private static String random() {
        byte[] bytes = new byte[NAME_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
