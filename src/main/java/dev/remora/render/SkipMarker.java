package dev.remora.render;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The words by which a file says that a plain directory should pass over it, wherever they stand in it. A file
/// may be large: it is looked through piece by piece.
final class SkipMarker {
    static final String TEXT = "+argocd:skip-file-rendering";

    private static final int PIECE = 64 << 10;

    private SkipMarker() {}

    static boolean isIn(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[PIECE];
            int filled = in.readNBytes(buffer, 0, PIECE);
            byte[] wanted = TEXT.getBytes(charset(buffer, filled));
            while (filled >= wanted.length) {
                if (contains(buffer, filled, wanted)) {
                    return true;
                }
                int kept = wanted.length - 1;
                System.arraycopy(buffer, filled - kept, buffer, 0, kept);
                int read = in.readNBytes(buffer, kept, PIECE - kept);
                filled = read == 0 ? 0 : kept + read;
            }
            return false;
        } catch (java.nio.file.AccessDeniedException e) {
            throw new Fault(FaultCode.DIRECTORY_INVALID, "failed to read \"" + file + "\": permission denied", e);
        }
    }

    private static Charset charset(byte[] start, int length) {
        if (length < 2) {
            return StandardCharsets.UTF_8;
        }
        int mark = (start[0] & 0xFF) << 8 | (start[1] & 0xFF);
        return mark == 0xFEFF
                ? StandardCharsets.UTF_16BE
                : mark == 0xFFFE ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
    }

    private static boolean contains(byte[] text, int length, byte[] wanted) {
        for (int at = 0; at + wanted.length <= length; at++) {
            if (text[at] == wanted[0] && Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }
}
