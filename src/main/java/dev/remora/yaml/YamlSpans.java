package dev.remora.yaml;

import java.util.ArrayList;
import java.util.List;

/// Where nodes of a text end, which nodes do not know: their beginnings are given, ends are found by reading on from
/// them.
/// Lines and columns count from 1, as nodes count them; columns count characters.
final class YamlSpans {
    private final List<String> lines;
    private final int firstLine;

    /// @param firstLine what the text's first line is called
    YamlSpans(String text, int firstLine) {
        this.lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
        this.firstLine = firstLine;
    }

    /// The offset in the text of a line and column.
    int offset(int line, int column) {
        int offset = 0;
        for (int i = 0; i < line - firstLine; i++) {
            offset += lines.get(i).length();
        }
        String last = lines.get(line - firstLine);
        return offset + last.offsetByCodePoints(0, Math.min(column - 1, last.codePointCount(0, last.length())));
    }

    /// The offset behind the last line of a block that begins at this line and column: a mapping's keys or a sequence's
    /// dashes stand at the column. Blank lines at its end are not its own.
    int blockEnd(int line, int column, boolean sequence) {
        int at = line - firstLine + 1;
        int end = at;
        for (; at < lines.size(); at++) {
            String text = lines.get(at);
            if (isBlank(text)) {
                continue;
            }
            int indent = indent(text);
            boolean comment = text.charAt(indent) == '#';
            boolean dash = isDash(text, indent);
            boolean inside = sequence
                    ? indent > column - 1 || (indent == column - 1 && (dash || comment))
                    : indent >= column - 1;
            if (!inside && !comment) {
                break;
            }
            if (inside) {
                end = at + 1;
            }
        }
        int offset = 0;
        for (int i = 0; i < end; i++) {
            offset += lines.get(i).length();
        }
        return offset;
    }

    /// The offset behind a scalar or flow collection that begins at this offset.
    static int inlineEnd(String text, int from, boolean inFlow) {
        return switch (from < text.length() ? text.charAt(from) : '\n') {
            case '"', '\'' -> quotedEnd(text, from);
            case '{', '[' -> flowEnd(text, from);
            default -> plainEnd(text, from, inFlow);
        };
    }

    private static int quotedEnd(String text, int from) {
        char quote = text.charAt(from);
        for (int i = from + 1; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && quote == '"') {
                i++;
            } else if (text.charAt(i) == quote) {
                if (quote == '\'' && i + 1 < text.length() && text.charAt(i + 1) == quote) {
                    i++;
                } else {
                    return i + 1;
                }
            }
        }
        return text.length();
    }

    private static int flowEnd(String text, int from) {
        int depth = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean begins = i == from || " \t\n\r,[{:".indexOf(text.charAt(i - 1)) >= 0;
            if ((c == '"' || c == '\'') && begins) {
                i = quotedEnd(text, i) - 1;
            } else if (c == '#' && i > from && " \t\n".indexOf(text.charAt(i - 1)) >= 0) {
                i = Math.max(i, text.indexOf('\n', i) - 1);
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
                if (depth == 0) {
                    return i + 1;
                }
            }
        }
        return text.length();
    }

    private static int plainEnd(String text, int from, boolean inFlow) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\r') {
            char c = text.charAt(i);
            boolean comment = c == '#' && i > 0 && (text.charAt(i - 1) == ' ' || text.charAt(i - 1) == '\t');
            if (comment || (inFlow && (c == ',' || c == '}' || c == ']'))) {
                break;
            }
            i++;
        }
        while (i > from && (text.charAt(i - 1) == ' ' || text.charAt(i - 1) == '\t')) {
            i--;
        }
        return i;
    }

    private static boolean isBlank(String line) {
        return line.isBlank();
    }

    private static int indent(String line) {
        int indent = 0;
        while (line.charAt(indent) == ' ') {
            indent++;
        }
        return indent;
    }

    private static boolean isDash(String line, int indent) {
        return line.charAt(indent) == '-' && (indent + 1 == line.length() || line.charAt(indent + 1) <= ' ');
    }
}
