package dev.remora.yaml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns YAML 1.1 text into tokens.
///
/// The difficulty of YAML is that a key shows only at its `:`. So whatever may begin a key is remembered as a
/// [SimpleKey], at most one for each level of flow collections, and tokens are held back while the first of them may
/// still be one. When the `:` comes, a `KEY` token (and for a new block mapping its start) is put before it.
///
/// Blocks are closed by indentation: `indents` holds the columns of the enclosing blocks, `indent` the innermost, -1
/// outside. Both nesting depths are limited, as go-yaml does, and nothing here recurses.
final class Scanner {
    static final int MAX_DEPTH = 10_000;

    private final Cursor cursor;
    private final ScalarScanner scalars;
    private final NameScanner names;

    private final ArrayList<Token> tokens = new ArrayList<>();
    private int head;
    private long tokensTaken;

    private final ArrayList<SimpleKey> keys = new ArrayList<>();
    private boolean keyAllowed = true;
    private int[] indents = new int[16];
    private int depth;
    private int indent = -1;
    private int flowLevel;
    private boolean ended;

    Scanner(Cursor cursor) {
        this.cursor = cursor;
        this.scalars = new ScalarScanner(cursor);
        this.names = new NameScanner(cursor);
        keys.add(noKey());
    }

    /// The next token, which stays.
    Token peek() {
        while (!ended && (head == tokens.size() || mayBecomeKey(tokens.get(head)))) {
            fetch();
        }
        return tokens.get(head);
    }

    /// Passes the token that [#peek] showed. The end of the stream stays.
    void take() {
        if (tokens.get(head).type == Token.Type.STREAM_END) {
            return;
        }
        tokensTaken++;
        head++;
        if (head == tokens.size()) {
            tokens.clear();
            head = 0;
        }
    }

    private boolean mayBecomeKey(Token token) {
        SimpleKey key = token.key;
        return key != null && key.awaited && key.stillPossible(cursor);
    }

    private void fetch() {
        skipToToken();
        closeBlocks(cursor.column());
        if (cursor.atEnd()) {
            fetchEnd();
        } else if (cursor.column() == 0 && cursor.is('%')) {
            closeBlocks(-1);
            forgetKey();
            keyAllowed = false;
            add(names.directive());
        } else if (cursor.atDocumentMark()) {
            fetchDocumentMark();
        } else {
            fetchInside();
        }
    }

    private void fetchInside() {
        switch (cursor.at(0)) {
            case '[' -> openFlow(Token.Type.FLOW_SEQUENCE_START);
            case '{' -> openFlow(Token.Type.FLOW_MAPPING_START);
            case ']' -> closeFlow(Token.Type.FLOW_SEQUENCE_END);
            case '}' -> closeFlow(Token.Type.FLOW_MAPPING_END);
            case ',' -> {
                forgetKey();
                keyAllowed = true;
                addMark(Token.Type.FLOW_ENTRY);
            }
            case '*' -> fetchName(names::alias);
            case '&' -> fetchName(names::anchor);
            case '!' -> fetchName(names::tag);
            case '\'' -> fetchName(() -> scalars.quoted(true));
            case '"' -> fetchName(() -> scalars.quoted(false));
            default -> fetchByContext();
        }
    }

    private void fetchByContext() {
        boolean flow = flowLevel > 0;
        boolean separated = cursor.blankOrEnd(1);
        byte b = cursor.at(0);
        if (b == '-' && separated) {
            fetchBlockEntry();
        } else if (b == '?' && (flow || separated)) {
            fetchExplicitKey();
        } else if (b == ':' && (flow || separated)) {
            fetchValue();
        } else if ((b == '|' || b == '>') && !flow) {
            forgetKey();
            keyAllowed = true;
            add(scalars.block(b == '|', indent));
        } else if (mayBeginPlain(b, flow)) {
            fetchPlain();
        } else {
            throw cursor.failure("found character that cannot start any token");
        }
    }

    private boolean mayBeginPlain(byte b, boolean flow) {
        return switch (b) {
            case '-' -> !cursor.blank(1);
            case '?', ':' -> !flow;
            case '#', '|', '>', '%', '@', '`', '\t' -> false;
            default -> true;
        };
    }

    private void fetchPlain() {
        rememberKey();
        keyAllowed = false;
        add(scalars.plain(indent, flowLevel > 0));
        if (scalars.endedAfterBreak()) {
            keyAllowed = true;
        }
    }

    private void fetchName(Supplier<Token> scan) {
        rememberKey();
        keyAllowed = false;
        add(scan.get());
    }

    private void fetchEnd() {
        cursor.closeLine();
        closeBlocks(-1);
        forgetKey();
        keyAllowed = false;
        add(Token.of(Token.Type.STREAM_END, cursor.line(), cursor.column() + 1));
        ended = true;
    }

    private void fetchDocumentMark() {
        closeBlocks(-1);
        forgetKey();
        keyAllowed = false;
        Token.Type type = cursor.is('-') ? Token.Type.DOCUMENT_START : Token.Type.DOCUMENT_END;
        add(Token.of(type, cursor.line(), cursor.column() + 1));
        cursor.skip(3);
    }

    private void openFlow(Token.Type type) {
        rememberKey();
        keys.add(noKey());
        flowLevel++;
        if (flowLevel > MAX_DEPTH) {
            throw tooDeep();
        }
        keyAllowed = true;
        addMark(type);
    }

    private void closeFlow(Token.Type type) {
        forgetKey();
        if (flowLevel > 0) {
            flowLevel--;
            SimpleKey inner = keys.removeLast();
            // as go-yaml does it, an empty collection is not waited for: `[]: x` is no mapping
            if (inner.tokenNumber == keys.getLast().tokenNumber) {
                keys.getLast().awaited = false;
            }
        }
        keyAllowed = false;
        addMark(type);
    }

    private void fetchBlockEntry() {
        if (flowLevel == 0) {
            requireKeyAllowed("block sequence entries are not allowed in this context");
            openBlock(cursor.column(), Token.Type.BLOCK_SEQUENCE_START);
        }
        forgetKey();
        keyAllowed = true;
        addMark(Token.Type.BLOCK_ENTRY);
    }

    private void fetchExplicitKey() {
        if (flowLevel == 0) {
            requireKeyAllowed("mapping keys are not allowed in this context");
            openBlock(cursor.column(), Token.Type.BLOCK_MAPPING_START);
        }
        forgetKey();
        keyAllowed = flowLevel == 0;
        addMark(Token.Type.KEY);
    }

    private void fetchValue() {
        SimpleKey key = keys.getLast();
        if (key.stillPossible(cursor)) {
            // a key that was not waited for is already taken: its marks come too late, and the parser will say so
            boolean late = key.tokenNumber < tokensTaken;
            int at = late ? tokens.size() : head + (int) (key.tokenNumber - tokensTaken);
            tokens.add(at, Token.of(Token.Type.KEY, key.line, key.column + 1));
            if (flowLevel == 0 && indent < key.column) {
                pushIndent(key.column);
                tokens.add(
                        late ? tokens.size() : at, Token.of(Token.Type.BLOCK_MAPPING_START, key.line, key.column + 1));
            }
            key.possible = false;
            keyAllowed = false;
        } else {
            if (flowLevel == 0) {
                requireKeyAllowed("mapping values are not allowed in this context");
                openBlock(cursor.column(), Token.Type.BLOCK_MAPPING_START);
            }
            keyAllowed = flowLevel == 0;
        }
        addMark(Token.Type.VALUE);
    }

    private void requireKeyAllowed(String otherwise) {
        if (!keyAllowed) {
            throw cursor.failure(otherwise);
        }
    }

    private void skipToToken() {
        while (true) {
            while (cursor.is(' ') || ((flowLevel > 0 || !keyAllowed) && cursor.is('\t'))) {
                cursor.skip();
            }
            if (cursor.is('#')) {
                cursor.skipToBreak();
            }
            if (!cursor.atBreak()) {
                return;
            }
            cursor.skipBreak();
            if (flowLevel == 0) {
                keyAllowed = true;
            }
        }
    }

    private void rememberKey() {
        boolean required = flowLevel == 0 && indent == cursor.column();
        if (keyAllowed) {
            forgetKey();
            keys.set(keys.size() - 1, new SimpleKey(tokensTaken + tokens.size() - head, required, cursor));
        }
    }

    private void forgetKey() {
        keys.getLast().giveUp(cursor);
    }

    private SimpleKey noKey() {
        SimpleKey none = new SimpleKey(tokensTaken + tokens.size() - head, false, cursor);
        none.possible = false;
        return none;
    }

    private void openBlock(int column, Token.Type type) {
        if (indent < column) {
            pushIndent(column);
            add(Token.of(type, cursor.line(), cursor.column() + 1));
        }
    }

    private void pushIndent(int column) {
        if (depth == MAX_DEPTH) {
            throw tooDeep();
        }
        if (depth == indents.length) {
            indents = Arrays.copyOf(indents, 2 * depth);
        }
        indents[depth++] = indent;
        indent = column;
    }

    private YamlFailure tooDeep() {
        return cursor.failure("exceeded max depth of " + MAX_DEPTH);
    }

    private void closeBlocks(int column) {
        if (flowLevel > 0) {
            return;
        }
        while (indent > column) {
            add(Token.of(Token.Type.BLOCK_END, cursor.line(), cursor.column() + 1));
            indent = indents[--depth];
        }
    }

    private void addMark(Token.Type type) {
        add(Token.of(type, cursor.line(), cursor.column() + 1));
        cursor.skip();
    }

    /// Adds a token; the key that was remembered for this place belongs to it.
    private void add(Token token) {
        SimpleKey key = keyFor(tokensTaken + tokens.size() - head);
        token.key = key;
        tokens.add(token);
    }

    private @Nullable SimpleKey keyFor(long number) {
        // a collection's start is remembered one level below the level that it opens
        for (int i = keys.size() - 1; i >= Math.max(0, keys.size() - 2); i--) {
            if (keys.get(i).possible && keys.get(i).tokenNumber == number) {
                return keys.get(i);
            }
        }
        return null;
    }
}
