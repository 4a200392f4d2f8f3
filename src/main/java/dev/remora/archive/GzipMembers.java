package dev.remora.archive;

import dev.remora.fault.Fault;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Inflates a series of gzip members (RFC 1952) as their bytes are pushed in. Inflated bytes are gathered in a window
/// and
/// handed on when it is full, so that whoever takes them is called rarely.
///
/// A fault in the stream is held back until all bytes before it were handed on: a tar that ended before the fault is
/// whole,
/// and nobody reads what lies behind (as with Go's readers, where a wrong trailer goes unnoticed then).
final class GzipMembers implements AutoCloseable {
    private static final int TRAILER = 8;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private enum State {
        HEADER,
        BODY,
        TRAILER,
        ENDED
    }

    private final ByteBuffer window;
    private final Predicate<ByteBuffer> out;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] trailer = new byte[TRAILER];
    private byte[] header = new byte[0];
    private int trailerLength;
    private long bodyBytes;
    private boolean firstMember = true;
    private State state = State.HEADER;
    private Optional<TarGzException> broken = Optional.empty();

    /// @param window gathers inflated bytes; may lie outside the heap
    /// @param out takes them, before the window is used again; false when it wants no more
    GzipMembers(ByteBuffer window, Predicate<ByteBuffer> out) {
        this.window = window;
        this.out = out;
    }

    void accept(ByteBuffer bytes) {
        while (bytes.hasRemaining() && state != State.ENDED) {
            try {
                switch (state) {
                    case HEADER -> header(bytes);
                    case BODY -> body(bytes);
                    case TRAILER -> trailer(bytes);
                    case ENDED -> throw new IllegalStateException("checked above");
                }
            } catch (TarGzException e) {
                fail(e);
            }
        }
    }

    /// No more bytes: hands on the last ones, then throws what is wrong or missing.
    void end() {
        if (state == State.ENDED && broken.isEmpty()) {
            return;
        }
        if (state == State.HEADER && firstMember && header.length == 0) {
            fail(TarGzException.beforeData("EOF"));
        } else if (state == State.BODY || state == State.TRAILER || header.length > 0) {
            fail(headerFault(TarGzException.UNEXPECTED_EOF));
        }
        drain();
        if (broken.isPresent()) {
            throw broken.get();
        }
    }

    private void fail(TarGzException e) {
        if (broken.isEmpty()) {
            broken = Optional.of(e);
        }
        state = State.ENDED;
    }

    private TarGzException headerFault(String message) {
        return state == State.HEADER && firstMember ? TarGzException.beforeData(message) : new TarGzException(message);
    }

    private void header(ByteBuffer bytes) {
        int before = header.length;
        int more = Math.min(bytes.remaining(), GzipHeader.MOST_BYTES - before);
        byte[] all = Arrays.copyOf(header, before + more);
        bytes.get(bytes.position(), all, before, more);
        int length;
        try {
            length = GzipHeader.length(all);
        } catch (TarGzException e) {
            throw headerFault(Fault.words(e));
        }
        if (length < 0) {
            header = all;
            bytes.position(bytes.position() + more);
            return;
        }
        bytes.position(bytes.position() + length - before);
        header = new byte[0];
        inflater.reset();
        checksum.reset();
        bodyBytes = 0;
        trailerLength = 0;
        firstMember = false;
        state = State.BODY;
    }

    private void body(ByteBuffer bytes) {
        inflater.setInput(bytes);
        while (true) {
            int from = window.position();
            int inflated = inflate();
            checksum.update(window.slice(from, inflated));
            bodyBytes += inflated;
            if (!window.hasRemaining()) {
                drain();
                if (state == State.ENDED) {
                    return;
                }
            } else if (inflater.finished()) {
                state = State.TRAILER;
                return;
            } else if (inflater.needsInput()) {
                return;
            } else if (inflater.needsDictionary()) {
                throw corrupt();
            }
        }
    }

    private int inflate() {
        try {
            return inflater.inflate(window);
        } catch (DataFormatException e) {
            throw corrupt();
        }
    }

    private TarGzException corrupt() {
        return new TarGzException("flate: corrupt input before offset " + inflater.getBytesRead());
    }

    private void trailer(ByteBuffer bytes) {
        int part = Math.min(bytes.remaining(), TRAILER - trailerLength);
        bytes.get(trailer, trailerLength, part);
        trailerLength += part;
        if (trailerLength < TRAILER) {
            return;
        }
        ByteBuffer fields = ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN);
        boolean same = (fields.getInt() & UNSIGNED) == checksum.getValue()
                && (fields.getInt() & UNSIGNED) == (bodyBytes & UNSIGNED);
        if (!same) {
            throw new TarGzException(TarGzException.GZIP_CHECKSUM);
        }
        state = State.HEADER;
    }

    private void drain() {
        window.flip();
        if (window.hasRemaining() && !out.test(window)) {
            state = State.ENDED;
            broken = Optional.empty();
        }
        window.clear();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
