package dev.remora.yaml;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Problem;
import dev.remora.fault.Where;
import java.util.Arrays;
import java.util.List;

/// Reads the first document of a YAML text as Kubernetes does (`docs/spec/output.md`): YAML 1.1 in go-yaml's dialect.
///
/// Safe for foreign text: nesting is limited and costs no stack, aliases share what they name and are limited, and the
/// work is linear in the text.
public final class YamlReader {
    /// Zero bytes that [#first] wants behind a text.
    public static final int PADDING = Cursor.PADDING;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private static final int BLOCK = 512;
    private static final int LOOK_AHEAD = 4;

    private final String file;
    private final FaultCode code;

    /// Faults have this `code` and name `file`.
    public YamlReader(String file, FaultCode code) {
        this.file = file;
        this.code = code;
    }

    /// The first document of a text.
    ///
    /// @param root the document; a [YamlNode.Null] when there is none
    /// @param aliases whether subtrees may be shared
    /// @param lostLine the line of what follows it and is not read, 0 when nothing does
    /// @param repeated keys that stand twice in one mapping, the first few
    public record First(YamlNode root, boolean aliases, int lostLine, List<Repeated> repeated) {}

    /// The first document; a [YamlNode.Null] when there is none. What follows it is not read.
    public YamlNode read(byte[] text) {
        return first(text).root();
    }

    /// The first document, and what may be a mistake about it.
    public First first(byte[] text) {
        return first(Arrays.copyOf(text, text.length + PADDING), 0, text.length, 1);
    }

    /// As [#read], of the bytes from `from` to `to`, which [#PADDING] zero bytes follow; the first line is called
    /// `firstLine`.
    public First first(byte[] padded, int from, int to, int firstLine) {
        int start = startsWithMark(padded, from, to) ? from + BYTE_ORDER_MARK.length : from;
        int refused = Utf8.firstRefused(padded, start, to);
        var cursor = new Cursor(padded, start, to, firstLine);
        try {
            First first = compose(new Scanner(cursor));
            if (refused >= 0 && seen(cursor.position() - from) > refused - from) {
                throw refusal(padded, start, refused, to, firstLine);
            }
            return first;
        } catch (YamlFailure e) {
            boolean told = refused >= 0 && seen(cursor.position() - from) > refused - from;
            throw fault(told ? refusal(padded, start, refused, to, firstLine) : e);
        }
    }

    /// Bytes that go-yaml has read when it is at `position`: it reads blocks, and refuses a character when its block is
    /// read, though the document may have ended before.
    private static int seen(int position) {
        return ((position + LOOK_AHEAD) / BLOCK + 1) * BLOCK;
    }

    private static First compose(Scanner scanner) {
        var composer = new Composer(scanner);
        YamlNode root = composer.document();
        return new First(root, composer.usedAliases(), lostLine(scanner), composer.repeated());
    }

    private static int lostLine(Scanner scanner) {
        Token token = scanner.peek();
        try {
            while (token.type == Token.Type.DOCUMENT_END) {
                scanner.take();
                token = scanner.peek();
            }
        } catch (YamlFailure e) {
            return e.line();
        }
        return token.type == Token.Type.STREAM_END ? 0 : token.line;
    }

    private static boolean startsWithMark(byte[] text, int from, int to) {
        return to - from >= BYTE_ORDER_MARK.length
                && Arrays.equals(text, from, from + BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }

    private static YamlFailure refusal(byte[] text, int from, int at, int to, int firstLine) {
        int line = firstLine;
        int column = 1;
        for (int i = from; i < at; i++) {
            if (text[i] == '\n') {
                line++;
                column = 1;
            } else if ((text[i] & 0xC0) != 0x80) {
                column++;
            }
        }
        return new YamlFailure(Utf8.refusal(text, at, to), line, column);
    }

    private Fault fault(YamlFailure failure) {
        return new Fault(code, Problem.at(new Where(file, failure.line(), failure.column()), failure.problem()));
    }
}
