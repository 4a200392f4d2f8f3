package dev.remora.sidecar;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.wire.RepositoryResponse;

/// One call of MatchRepository.
final class MatchRepositoryCall {
    private static final String STREAM = "match repository error receiving stream: ";

    private final ServerParts parts;
    private final AdmissionQueue queue;

    MatchRepositoryCall(ServerParts parts, AdmissionQueue queue) {
        this.parts = parts;
        this.queue = queue;
    }

    RepositoryResponse run(CallSession call) {
        RequestStream stream = new RequestStream(call);
        try {
            CallFaults.in(STREAM, stream::begin);
            if (!call.plugin().discoveryConfigured()) {
                CallFaults.in(STREAM, stream::skim);
                return RepositoryResponse.getDefaultInstance();
            }
            throw new Fault(FaultCode.DISCOVERY_FAILED, "not built yet" + parts + queue);
        } catch (Fault fault) {
            stream.drain();
            throw fault;
        }
    }
}
