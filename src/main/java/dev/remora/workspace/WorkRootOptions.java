package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// How a server keeps its requests' folders.
///
/// @param base the value of `ARGOCD_CMP_WORKDIR`, else of `TMPDIR`, else `/tmp`
/// @param wipe Argo CD's way (departure `workdir-wipe`): everything below `_cmp_server` is removed at start, also
///     what another server uses, and requests' folders lie directly in it
/// @param names folders' names; nobody may guess the next one
/// @param removalFailed told what could not be removed and why; the request itself is not hurt
public record WorkRootOptions(Bytes base, boolean wipe, Supplier<UUID> names, Consumer<Fault> removalFailed) {
    /// With names from the system's secure random numbers.
    public static WorkRootOptions at(Bytes base, Consumer<Fault> removalFailed) {
        return new WorkRootOptions(base, false, UUID::randomUUID, removalFailed);
    }

    public WorkRootOptions wiping(boolean wiping) {
        return new WorkRootOptions(base, wiping, names, removalFailed);
    }
}
