package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import dev.remora.generation.ReplayScript;
import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.OpenFile;
import dev.remora.telemetry.LogKey;
import dev.remora.telemetry.Mask;
import dev.remora.workspace.KeptFolders;
import dev.remora.workspace.RootedPath;
import dev.remora.workspace.Workspace;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `--keep-failed`: keeps the folder of a render that failed, with a script that repeats its commands. Values of
/// variables named like secrets are left out of the script; what the repository holds stays.
final class FailedRender {
    private static final DateTimeFormatter AGE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS").withZone(ZoneOffset.UTC);

    private final ServerParts parts;

    FailedRender(ServerParts parts) {
        this.parts = parts;
    }

    /// Failing to keep is told in the log, and changes nothing of the answer.
    void keep(CallSession call, Workspace workspace, RootedPath application) {
        KeptFolders kept = parts.options().places().keepFailed();
        if (!kept.any()) {
            return;
        }
        Bytes relative = relative(application);
        try {
            Optional<Bytes> folder = kept.keep(workspace, name(workspace));
            if (folder.isEmpty()) {
                parts.log()
                        .info(
                                "did not keep the failed render: it is larger than --keep-failed-size-mb",
                                LogKey.PLUGIN.is(call.plugin().registeredName()));
                return;
            }
            write(folder.get(), script(call, relative));
            parts.log()
                    .info(
                            "kept " + folder.get() + "; repeat it by " + folder.get() + "/" + ReplayScript.NAME
                                    + " generate",
                            LogKey.KEPT.is(folder.get().toString()),
                            LogKey.PLUGIN.is(call.plugin().registeredName()));
        } catch (Fault fault) {
            parts.log().warning("could not keep the failed render: " + Fault.words(fault));
        }
    }

    /// Sorts by age; the workspace's own random name makes it unique.
    private static Bytes name(Workspace workspace) {
        return Bytes.utf8(AGE.format(Instant.now()) + "-" + workspace.name());
    }

    private static Bytes relative(RootedPath application) {
        Bytes root = application.root();
        Bytes path = application.path();
        Bytes work = Bytes.utf8("work");
        return path.length() > root.length() ? work.slash(path.slice(root.length() + 1, path.length())) : work;
    }

    private ReplayScript script(CallSession call, Bytes directory) {
        List<Bytes> masked = new ArrayList<>();
        Map<String, String> known =
                new LinkedHashMap<>(parts.options().surroundings().environment());
        call.environment()
                .forEach(variable ->
                        known.put(variable.name().toString(), variable.value().toString()));
        Mask mask = Mask.ofEnvironment(known);
        for (Bytes assignment : parts.environment()
                .with(
                        call.environment(),
                        name -> call.plugin()
                                .settings()
                                .environment()
                                .map(filter -> filter.allows(name))
                                .orElse(true))) {
            masked.add(masked(assignment, mask));
        }
        return new ReplayScript(call.plugin(), directory, masked);
    }

    private static Bytes masked(Bytes assignment, Mask mask) {
        int equals = assignment.indexOf((byte) '=', 1);
        String name = assignment.slice(0, Math.max(equals, 0)).toString();
        if (Mask.isSecretName(name)) {
            return Bytes.utf8(name + "=" + Secret.MASK);
        }
        String text = assignment.toString();
        String safe = mask.apply(text);
        return safe.equals(text) ? assignment : Bytes.utf8(safe);
    }

    private static void write(Bytes folder, ReplayScript script) {
        try (Directory directory = Directory.open(folder);
                OpenFile file = directory.createFile(Bytes.utf8(ReplayScript.NAME), ReplayScript.MODE)) {
            file.write(ByteBuffer.wrap(script.text()));
        } catch (ErrnoException e) {
            throw new Fault(
                    FaultCode.WORKSPACE, "cannot write " + folder + "/" + ReplayScript.NAME + ": " + e.reason(), e);
        }
    }
}
