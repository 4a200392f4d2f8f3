package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationEdit;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.UUID;

/// The file that an Application was read from, to be changed.
///
/// @param before its text when it was opened
record ApplicationFile(Path file, String before, ApplicationEdit edit) {
    /// As Applications are read.
    private static final int MOST_BYTES = 16 << 20;

    static ApplicationFile open(Application application, Console console) {
        Path file = console.directory().resolve(application.where().file());
        if (!Files.isRegularFile(file)) {
            throw new Fault(
                    FaultCode.USAGE,
                    application.where().file() + " is no file that can be written; name the file with -f");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] all = in.readNBytes(MOST_BYTES + 1);
            if (all.length > MOST_BYTES) {
                throw new Fault(FaultCode.USAGE, file + " is larger than 16 MiB");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(java.nio.ByteBuffer.wrap(all))
                    .toString();
            return new ApplicationFile(file, text, ApplicationEdit.of(text, application.where()));
        } catch (CharacterCodingException e) {
            throw new Fault(FaultCode.USAGE, file + " is not UTF-8", e);
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, file + " cannot be read: " + Fault.words(e), e);
        }
    }

    /// What was changed, as lines with `-` and `+`.
    String patch() {
        return LineDiff.of(before, edit.text());
    }

    /// Replaces the file at once; where it is a link, what it leads to.
    void save() {
        try {
            Path real = file.toRealPath();
            Path fresh = real.resolveSibling("." + UUID.randomUUID() + ".tmp");
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(real);
            try {
                Files.writeString(fresh, edit.text());
                Files.setPosixFilePermissions(fresh, mode);
                Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw new Fault(FaultCode.USAGE, file + " cannot be written: " + Fault.words(e), e);
        }
    }
}
