package dev.remora.render;

import dev.remora.manifest.ManifestDocument;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A plugin's answer with the moment of its making, as it is kept in a folder; and beside it, what the last answer for
/// a source was known by. The folder proves who wrote a text, so what is read was written here.
///
/// @param documents as the plugin printed them, before Argo CD's work on them
record KeptAnswer(List<ManifestDocument> documents, Instant made) {
    /// Of the texts; another one is another version's, and counts as damaged.
    private static final int FORM = 1;

    /// A document beside its text, in memory.
    private static final long OBJECT = 64;

    KeptAnswer {
        documents = List.copyOf(documents);
    }

    /// In memory, about.
    long bytes() {
        return documents.stream()
                .mapToLong(document -> document.json().length + OBJECT)
                .sum();
    }

    /// Never below zero, should the clock have been set back.
    Duration age(Instant now) {
        Duration age = Duration.between(made, now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    byte[] text() {
        return written(out -> {
            out.writeLong(made.toEpochMilli());
            out.writeInt(documents.size());
            for (ManifestDocument document : documents) {
                out.writeInt(document.number());
                out.writeInt(document.line());
                out.writeInt(document.objects());
                out.writeInt(document.json().length);
                out.write(document.json());
            }
        });
    }

    static KeptAnswer read(byte[] text) throws IOException {
        DataInputStream in = begun(text);
        Instant made = Instant.ofEpochMilli(in.readLong());
        int count = in.readInt();
        List<ManifestDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = in.readInt();
            int line = in.readInt();
            int objects = in.readInt();
            documents.add(new ManifestDocument(in.readNBytes(in.readInt()), number, line, objects));
        }
        return new KeptAnswer(documents, made);
    }

    static byte[] text(AnswerKey key) {
        return written(out -> {
            out.writeInt(key.parts().size());
            for (var part : key.parts().entrySet()) {
                out.writeUTF(part.getKey());
                out.writeUTF(part.getValue());
            }
        });
    }

    static AnswerKey readKey(byte[] text) throws IOException {
        DataInputStream in = begun(text);
        int count = in.readInt();
        SortedMap<String, String> parts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            parts.put(in.readUTF(), in.readUTF());
        }
        return new AnswerKey(parts);
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] written(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORM);
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static DataInputStream begun(byte[] text) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(text));
        if (in.readInt() != FORM) {
            throw new IOException("another version of Remora wrote it");
        }
        return in;
    }
}
