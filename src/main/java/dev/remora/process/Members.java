package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.sandbox.Fence;
import java.util.List;

/// Which processes belong to one render, and how they are reached. Used by the render's own thread alone.
sealed interface Members permits DomainMembers, MarkedMembers {
    /// Puts the calling thread behind the render's fence, before it starts anything.
    void enter(Fence fence);

    /// Variables that every command of the render gets besides its own.
    List<Bytes> marks();

    /// A command was started; its number is also that of its session and group.
    void started(int pid);

    /// Looks who is there, so that he is known later, and reaps the dead ones that were left to us.
    void observe();

    /// To every living member.
    void signal(int signal);

    /// To one of [#present]; to nobody if that member is gone by now, whoever has its number.
    void signalOne(int pid, int signal);

    /// To the members of one process group, whoever their parent is by now.
    void signalGroup(int group, int signal);

    /// Whether [#signalGroup] would meet anyone.
    boolean groupAlive(int group);

    /// Whether a member is alive besides the running command; those who are dead and were left to us are reaped.
    boolean orphansAlive();

    /// Members, the running command and the dead that nobody reaped included: they hold a number each. At most `most`.
    List<Integer> present(int most);
}
