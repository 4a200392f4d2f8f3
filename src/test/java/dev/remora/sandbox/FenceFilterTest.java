package dev.remora.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FenceFilterTest {
    private static final int ALLOWED = SeccompRule.Action.ALLOW.value();
    private static final int NOT_PERMITTED = SeccompRule.Action.refuse(1).value();
    private static final int DENIED = SeccompRule.Action.refuse(13).value();
    private static final int NOT_THERE = SeccompRule.Action.refuse(38).value();
    private static final int UNIX = 1;
    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int NETLINK = 16;
    private static final int PACKET = 17;
    private static final int VSOCK = 40;

    @ParameterizedTest
    @EnumSource
    void endsAProgramOfAnotherArchitecture(Processor processor) {
        FakeKernel kernel = kernel(processor, Fence.COMPATIBLE);

        assertThat(kernel.answer(0x40000003, 1)).isEqualTo(SeccompRule.Action.KILL.value());
        assertThat(kernel.answer(0x40000028, 1)).isEqualTo(SeccompRule.Action.KILL.value());
    }

    @Test
    void knowsNoCallOfX32() {
        FakeKernel kernel = kernel(Processor.X86_64, Fence.COMPATIBLE);

        assertThat(kernel.answer(0xC000003E, 0x40000000 | 41, INET, 1, 0)).isEqualTo(NOT_THERE);
        assertThat(kernel.answer(0xC000003E, 0x40000000)).isEqualTo(NOT_THERE);
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatReachesOthersAndTheKernelsFarCorners(Processor processor) {
        FakeKernel kernel = kernel(processor, Fence.COMPATIBLE);

        for (Syscall call : List.of(
                Syscall.PTRACE,
                Syscall.PROCESS_VM_READV,
                Syscall.UNSHARE,
                Syscall.SETNS,
                Syscall.MOUNT,
                Syscall.OPEN_TREE,
                Syscall.IO_URING_SETUP,
                Syscall.USERFAULTFD,
                Syscall.KEYCTL,
                Syscall.BPF,
                Syscall.PERF_EVENT_OPEN,
                Syscall.KEXEC_LOAD,
                Syscall.INIT_MODULE,
                Syscall.SWAPON,
                Syscall.PIDFD_GETFD,
                Syscall.OPEN_BY_HANDLE_AT)) {
            assertThat(answer(kernel, processor, call)).as(call.name()).isEqualTo(NOT_PERMITTED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsThreadsAndChildrenBeMadeButNoNamespace(Processor processor) {
        FakeKernel kernel = kernel(processor, Fence.COMPATIBLE);

        assertThat(answer(kernel, processor, Syscall.CLONE3)).isEqualTo(NOT_THERE);
        assertThat(answer(kernel, processor, Syscall.CLONE, 0x3D0F00)).isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.CLONE, 0x4111)).isEqualTo(ALLOWED);
        Stream.of(0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
                .forEach(namespace -> assertThat(answer(kernel, processor, Syscall.CLONE, namespace | 0x11))
                        .isEqualTo(NOT_PERMITTED));
    }

    @ParameterizedTest
    @EnumSource
    void compatibleKeepsTheUsualSocketsAndNoOthers(Processor processor) {
        FakeKernel kernel = kernel(processor, Fence.COMPATIBLE);

        for (int family : List.of(UNIX, INET, INET6, NETLINK)) {
            assertThat(answer(kernel, processor, Syscall.SOCKET, family, 1, 0)).isEqualTo(ALLOWED);
        }
        for (int family : List.of(PACKET, VSOCK, 38, 44, 0)) {
            assertThat(answer(kernel, processor, Syscall.SOCKET, family, 1, 0)).isEqualTo(DENIED);
        }
        assertThat(answer(kernel, processor, Syscall.SOCKET, NETLINK, 3, 12)).isEqualTo(DENIED);
        // the kernel reads an int: what is above it does not count
        assertThat(answer(kernel, processor, Syscall.SOCKET, 1L << 32 | VSOCK, 1, 0))
                .isEqualTo(DENIED);
    }

    @ParameterizedTest
    @EnumSource
    void strictWithoutNetworkMakesPairsOnly(Processor processor) {
        FakeKernel kernel = kernel(processor, strict(Fence.Network.NONE, false));

        for (int family : List.of(UNIX, INET, INET6, NETLINK, PACKET, VSOCK)) {
            assertThat(answer(kernel, processor, Syscall.SOCKET, family, 1, 0)).isEqualTo(DENIED);
        }
        assertThat(answer(kernel, processor, Syscall.SOCKETPAIR, UNIX, 1, 0)).isEqualTo(ALLOWED);
    }

    @ParameterizedTest
    @EnumSource
    void strictGivesBackWhatADefinitionAsksFor(Processor processor) {
        FakeKernel network = kernel(processor, strict(Fence.Network.ANY, false));
        FakeKernel sockets = kernel(processor, strict(Fence.Network.NONE, true));

        assertThat(answer(network, processor, Syscall.SOCKET, INET, 1, 0)).isEqualTo(ALLOWED);
        assertThat(answer(network, processor, Syscall.SOCKET, UNIX, 1, 0)).isEqualTo(DENIED);
        assertThat(answer(sockets, processor, Syscall.SOCKET, UNIX, 1, 0)).isEqualTo(ALLOWED);
        assertThat(answer(sockets, processor, Syscall.SOCKET, INET, 2, 0)).isEqualTo(DENIED);
    }

    @ParameterizedTest
    @EnumSource
    void nobodySlowsOrLimitsAnyProcessButHimself(Processor processor) {
        FakeKernel kernel = kernel(processor, Fence.COMPATIBLE);

        for (Syscall call : List.of(Syscall.PRLIMIT64, Syscall.SCHED_SETSCHEDULER, Syscall.SCHED_SETATTR)) {
            assertThat(answer(kernel, processor, call, 0)).isEqualTo(ALLOWED);
            assertThat(answer(kernel, processor, call, 77)).isEqualTo(NOT_PERMITTED);
        }
        assertThat(answer(kernel, processor, Syscall.SETPRIORITY, 0, 0, 5)).isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.SETPRIORITY, 0, 77, 5)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(kernel, processor, Syscall.SETPRIORITY, 2, 0, 5)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(kernel, processor, Syscall.IOPRIO_SET, 1, 0, 0)).isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.IOPRIO_SET, 1, 77, 0)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(kernel, processor, Syscall.IOPRIO_SET, 3, 0, 0)).isEqualTo(NOT_PERMITTED);
    }

    @ParameterizedTest
    @EnumSource
    void nobodySignalsTheThreadThatStartedHim(Processor processor) {
        FakeKernel kernel =
                new FakeKernel(new Starter(4242, 77).program(FenceFilter.program(processor, Fence.COMPATIBLE)));

        for (Syscall call : List.of(Syscall.KILL, Syscall.TKILL, Syscall.RT_SIGQUEUEINFO, Syscall.PIDFD_OPEN)) {
            assertThat(answer(kernel, processor, call, 4242)).isEqualTo(NOT_PERMITTED);
            assertThat(answer(kernel, processor, call, 4243)).isEqualTo(ALLOWED);
            assertThat(answer(kernel, processor, call, -1)).isEqualTo(ALLOWED);
        }
        assertThat(answer(kernel, processor, Syscall.TGKILL, 77, 4242)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(kernel, processor, Syscall.TGKILL, 78, 79)).isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.FCNTL, 5, 8, 4242)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(kernel, processor, Syscall.FCNTL, 5, 8, 4243)).isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.FCNTL, 5, 15, 0)).isEqualTo(NOT_PERMITTED);
        assertThat(answer(kernel, processor, Syscall.PTRACE)).isEqualTo(NOT_PERMITTED);
    }

    @ParameterizedTest
    @EnumSource
    void strictRefusesWhatIsSharedByNumberAndPairsThatReachOthers(Processor processor) {
        FakeKernel kernel = kernel(processor, strict(Fence.Network.ANY, false));

        for (Syscall call : List.of(Syscall.SHMGET, Syscall.SHMAT, Syscall.MSGGET, Syscall.SEMGET, Syscall.MQ_OPEN)) {
            assertThat(answer(kernel, processor, call)).isEqualTo(NOT_PERMITTED);
        }
        assertThat(answer(kernel, processor, Syscall.SOCKETPAIR, UNIX, 0x80801, 0))
                .isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.SOCKETPAIR, UNIX, 5, 0)).isEqualTo(ALLOWED);
        assertThat(answer(kernel, processor, Syscall.SOCKETPAIR, UNIX, 2, 0)).isEqualTo(DENIED);
        assertThat(answer(kernel, processor, Syscall.SOCKETPAIR, UNIX, 0x80002, 0))
                .isEqualTo(DENIED);
        assertThat(answer(
                        kernel(processor, strict(Fence.Network.NONE, true)), processor, Syscall.SOCKETPAIR, UNIX, 2, 0))
                .isEqualTo(ALLOWED);
    }

    @Test
    void theFirstRuleThatFitsDecides() {
        SeccompProgram program = SeccompProgram.of(
                Processor.X86_64,
                List.of(
                        new SeccompRule(
                                Syscall.SOCKET,
                                List.of(
                                        new SeccompRule.Test.Among(0, List.of(INET, INET6)),
                                        new SeccompRule.Test.AnyBit(1, 0x800)),
                                SeccompRule.Action.NOTIFY),
                        SeccompRule.always(Syscall.SOCKET, SeccompRule.Action.refuse(13))));
        FakeKernel kernel = new FakeKernel(program);

        assertThat(kernel.answer(0xC000003E, 41, INET6, 0x801)).isEqualTo(SeccompRule.Action.NOTIFY.value());
        assertThat(kernel.answer(0xC000003E, 41, INET6, 1)).isEqualTo(DENIED);
        assertThat(kernel.answer(0xC000003E, 41, UNIX, 0x801)).isEqualTo(DENIED);
        assertThat(kernel.answer(0xC000003E, 42, UNIX)).isEqualTo(ALLOWED);
    }

    @Test
    void aTestForNothingIsRefused() {
        assertThatThrownBy(() -> new SeccompRule.Test.Among(0, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static FakeKernel kernel(Processor processor, Fence fence) {
        return new FakeKernel(FenceFilter.program(processor, fence));
    }

    private static Fence strict(Fence.Network network, boolean unixSockets) {
        return new Fence.Strict(new FileFence(List.of(), List.of()), network, unixSockets);
    }

    private static int answer(FakeKernel kernel, Processor processor, Syscall call, long... arguments) {
        return kernel.answer(
                processor.auditArchitecture(), call.number(processor).orElseThrow(), arguments);
    }
}
