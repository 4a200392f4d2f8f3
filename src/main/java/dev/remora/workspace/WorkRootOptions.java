package dev.remora.workspace;

import dev.remora.fault.Fault;
import dev.remora.posix.Bytes;
import dev.remora.posix.ProcessIdentity;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// How a server keeps its requests' folders.
///
/// @param base the value of `ARGOCD_CMP_WORKDIR`, else of `TMPDIR`, else `/tmp`
/// @param folder its name below the base
/// @param wipe Argo CD's way (departure `workdir-wipe`): everything below `_cmp_server` is removed at start, also
///     what another server uses, and requests' folders lie directly in it
/// @param names folders' names; nobody may guess the next one
/// @param removalFailed told what could not be removed and why; the request itself is not hurt
public record WorkRootOptions(
        Bytes base, Bytes folder, boolean wipe, Supplier<UUID> names, Consumer<Fault> removalFailed) {
    private static final Bytes ARGOCD_FOLDER = Bytes.utf8("_cmp_server");

    /// With names from the system's secure random numbers.
    public static WorkRootOptions at(Bytes base, Consumer<Fault> removalFailed) {
        return new WorkRootOptions(base, ARGOCD_FOLDER, false, UUID::randomUUID, removalFailed);
    }

    /// For commands that several users of one machine may run at once: a folder for each user.
    public WorkRootOptions forThisUser() {
        Bytes own = Bytes.utf8("_remora-" + ProcessIdentity.user());
        return new WorkRootOptions(base, own, wipe, names, removalFailed);
    }

    public WorkRootOptions wiping(boolean wiping) {
        return new WorkRootOptions(base, folder, wiping, names, removalFailed);
    }
}
