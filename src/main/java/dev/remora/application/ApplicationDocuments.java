package dev.remora.application;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import dev.remora.yaml.YamlNode;
import dev.remora.yaml.YamlReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The Applications of a text that may hold several documents, lists of objects and much else.
///
/// @param found in the order of the text; what is wrong in one does not hide the others
/// @param sets ApplicationSets, which make Applications and are none
/// @param others documents that are neither
public record ApplicationDocuments(List<Found> found, List<Where> sets, int others) {
    /// Each costs a line at least; more is no text of a person.
    private static final int MOST_DOCUMENTS = 100_000;

    private static final int MARKER = 3;
    private static final String SET = "ApplicationSet";
    private static final String SET_LIST = "ApplicationSetList";

    public ApplicationDocuments {
        found = List.copyOf(found);
        sets = List.copyOf(sets);
    }

    /// One of them.
    public sealed interface Found {
        String name();

        Where where();

        record Valid(Application application) implements Found {
            @Override
            public String name() {
                return application.name();
            }

            @Override
            public Where where() {
                return application.where();
            }
        }

        /// One that cannot be used.
        ///
        /// @param fault with every problem
        record Broken(String name, Where where, Fault fault) implements Found {}
    }

    /// Reads them all.
    ///
    /// @param file as people call it
    /// @throws Fault APPLICATION_INVALID where the text is no YAML
    public static ApplicationDocuments read(String file, byte[] text) {
        return new Reading(file).all(text);
    }

    private static final class Reading {
        private final String file;
        private final List<Found> found = new ArrayList<>();
        private final List<Where> sets = new ArrayList<>();
        private int others;

        Reading(String file) {
            this.file = file;
        }

        ApplicationDocuments all(byte[] text) {
            int from = 0;
            int line = 1;
            int documents = 0;
            int at = 0;
            while (at < text.length) {
                int end = lineEnd(text, at);
                if (isMarker(text, at, end) && at > from) {
                    document(Arrays.copyOfRange(text, from, at), line);
                    line += lines(text, from, at);
                    from = at;
                    if (++documents == MOST_DOCUMENTS) {
                        throw new Fault(
                                FaultCode.APPLICATION_INVALID,
                                file + " holds more than " + MOST_DOCUMENTS + " documents");
                    }
                }
                at = end;
            }
            document(Arrays.copyOfRange(text, from, text.length), line);
            return new ApplicationDocuments(found, sets, others);
        }

        private static int lineEnd(byte[] text, int from) {
            int at = from;
            while (at < text.length && text[at] != '\n') {
                at++;
            }
            return Math.min(at + 1, text.length);
        }

        /// `---` or `...` at the beginning of a line, which nothing but a document's border can be. A document begins
        /// at its own marker.
        private static boolean isMarker(byte[] text, int from, int to) {
            if (to - from < MARKER || (text[from] != '-' && text[from] != '.')) {
                return false;
            }
            return text[from + 1] == text[from]
                    && text[from + 2] == text[from]
                    && (to - from == MARKER || text[from + MARKER] <= ' ');
        }

        private static int lines(byte[] text, int from, int to) {
            int lines = 0;
            for (int at = from; at < to; at++) {
                lines += text[at] == '\n' ? 1 : 0;
            }
            return lines;
        }

        private void document(byte[] text, int line) {
            byte[] padded = Arrays.copyOf(text, text.length + YamlReader.PADDING);
            int start = text.length >= MARKER && text[0] == '.' ? lineEnd(text, 0) : 0;
            YamlReader.First first = new YamlReader(file, FaultCode.APPLICATION_INVALID)
                    .first(padded, start, text.length, start == 0 ? line : line + 1);
            if (first.lostLine() > 0) {
                throw new Fault(
                        FaultCode.APPLICATION_INVALID,
                        Problem.at(
                                new Where(file, first.lostLine(), 1),
                                "text stands behind the end of a document",
                                "separate documents by a line of three dashes"));
            }
            object(first.root());
        }

        private void object(YamlNode document) {
            if (!(document instanceof YamlNode.Mapping mapping)) {
                others += document instanceof YamlNode.Null ? 0 : 1;
                return;
            }
            String kind = mapping.text("kind").orElse("");
            if (ApplicationReader.isApplication(mapping)) {
                application(mapping);
            } else if (kind.equals(SET) || kind.equals(SET_LIST)) {
                sets.add(where(mapping));
            } else if (kind.endsWith("List")
                    && mapping.get("items").orElse(mapping) instanceof YamlNode.Sequence list) {
                list.items().forEach(this::object);
            } else {
                others++;
            }
        }

        private void application(YamlNode.Mapping mapping) {
            try {
                found.add(new Found.Valid(ApplicationReader.read(file, mapping)));
            } catch (Fault fault) {
                String name = mapping.get("metadata")
                        .flatMap(metadata -> metadata instanceof YamlNode.Mapping fields
                                ? fields.text("name")
                                : java.util.Optional.empty())
                        .orElse("");
                found.add(new Found.Broken(name, where(mapping), fault));
            }
        }

        private Where where(YamlNode node) {
            return new Where(file, Math.max(1, node.line()), Math.max(1, node.column()));
        }
    }
}
