package dev.remora.yaml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds the tree of one document from tokens.
///
/// The collections that are open form a stack of [Open], so that depth costs no stack. Each knows what it expects next;
/// a value that is complete is handed to the innermost. Values are resolved, keys made text and merge keys expanded on
/// the way. What is wrong with the meaning (not the syntax) is kept until the document's syntax is known to be right,
/// because that is told first.
///
/// Aliases share subtrees; [AliasGuard] refuses documents that would be large without sharing.
final class Composer {
    /// So many mistakes of one kind are enough to tell.
    private static final int MOST_REPEATED = 16;

    private final Scanner scanner;
    private final ArrayDeque<Open> open = new ArrayDeque<>();
    private final Map<String, Anchored> anchors = new HashMap<>();
    private final Map<String, String> tagHandles = new HashMap<>();
    private final AliasGuard guard = new AliasGuard();
    private final List<Repeated> repeated = new ArrayList<>();
    private @Nullable YamlFailure meaning;
    private @Nullable YamlNode root;

    /// Tag, anchor and place that stand before a node's content.
    private record Properties(String tag, String anchor, int line, int column) {
        boolean any() {
            return !tag.isEmpty() || !anchor.isEmpty();
        }
    }

    Composer(Scanner scanner) {
        this.scanner = scanner;
    }

    List<Repeated> repeated() {
        return List.copyOf(repeated);
    }

    boolean usedAliases() {
        return guard.used();
    }

    /// The first document of the stream; a null when there is none.
    YamlNode document() {
        Token token = scanner.peek();
        if (token.type == Token.Type.STREAM_END) {
            return new YamlNode.Null(token.line, token.column);
        }
        boolean explicit = startDocument(token);
        guard.node();
        token = scanner.peek();
        if (explicit && endsDocument(token)) {
            return new YamlNode.Null(token.line, token.column);
        }
        node(true, false);
        while (!open.isEmpty()) {
            step(open.getLast());
        }
        scanner.peek();
        if (meaning != null) {
            throw meaning;
        }
        return java.util.Objects.requireNonNull(root);
    }

    private boolean startDocument(Token first) {
        tagHandles.put("!", "!");
        tagHandles.put("!!", ScalarResolver.PREFIX);
        if (!isDirective(first) && first.type != Token.Type.DOCUMENT_START) {
            return false;
        }
        new Directives(scanner).read(tagHandles);
        Token token = scanner.peek();
        if (token.type != Token.Type.DOCUMENT_START) {
            throw failure("did not find expected <document start>", token);
        }
        scanner.take();
        return true;
    }

    static boolean isDirective(Token token) {
        return token.type == Token.Type.VERSION_DIRECTIVE || token.type == Token.Type.TAG_DIRECTIVE;
    }

    private static boolean endsDocument(Token token) {
        return isDirective(token)
                || token.type == Token.Type.DOCUMENT_START
                || token.type == Token.Type.DOCUMENT_END
                || token.type == Token.Type.STREAM_END;
    }

    /// Reads a scalar or alias, or opens a collection.
    private void node(boolean block, boolean indentlessSequence) {
        Token token = scanner.peek();
        if (token.type == Token.Type.ALIAS) {
            scanner.take();
            alias(token);
            return;
        }
        Properties properties = properties(token);
        token = scanner.peek();
        switch (token.type) {
            case SCALAR -> {
                scanner.take();
                scalar(properties, token.text, token.plain);
            }
            case BLOCK_ENTRY -> {
                if (!indentlessSequence) {
                    empty(properties, token);
                } else {
                    push(Open.State.INDENTLESS_SEQUENCE, properties);
                }
            }
            case FLOW_SEQUENCE_START -> pushStarted(Open.State.FLOW_SEQUENCE, properties);
            case FLOW_MAPPING_START -> pushStarted(Open.State.FLOW_MAPPING_KEY, properties);
            case BLOCK_SEQUENCE_START -> openBlock(Open.State.BLOCK_SEQUENCE, properties, block, token);
            case BLOCK_MAPPING_START -> openBlock(Open.State.BLOCK_MAPPING_KEY, properties, block, token);
            default -> empty(properties, token);
        }
    }

    private void openBlock(Open.State state, Properties properties, boolean block, Token token) {
        if (block) {
            pushStarted(state, properties);
        } else {
            empty(properties, token);
        }
    }

    private void pushStarted(Open.State state, Properties properties) {
        scanner.take();
        push(state, properties);
    }

    private void push(Open.State state, Properties properties) {
        push(new Open(state, properties.anchor(), properties.line(), properties.column(), guard.count()));
    }

    private void push(Open collection) {
        guard.node();
        if (!collection.anchor.isEmpty()) {
            anchors.put(collection.anchor, collection.anchored);
        }
        open.addLast(collection);
    }

    /// No content: a null if there is a tag or an anchor, else a fault.
    private void empty(Properties properties, Token token) {
        if (!properties.any()) {
            throw failure("did not find expected node content", token);
        }
        scalar(properties, "", properties.tag().isEmpty());
    }

    private Properties properties(Token first) {
        String anchor = "";
        @Nullable Token tag = null;
        Token token = first;
        if (token.type == Token.Type.ANCHOR) {
            anchor = token.text;
            token = next();
            if (token.type == Token.Type.TAG) {
                tag = token;
                next();
            }
        } else if (token.type == Token.Type.TAG) {
            tag = token;
            token = next();
            if (token.type == Token.Type.ANCHOR) {
                anchor = token.text;
                next();
            }
        }
        return new Properties(tag == null ? "" : tagText(tag), anchor, first.line, first.column);
    }

    private Token next() {
        scanner.take();
        return scanner.peek();
    }

    private String tagText(Token tag) {
        if (tag.text.isEmpty()) {
            return tag.suffix;
        }
        String prefix = tagHandles.get(tag.text);
        if (prefix == null || (prefix.isEmpty() && tag.suffix.isEmpty())) {
            throw failure("found undefined tag handle", tag);
        }
        return prefix + tag.suffix;
    }

    private void alias(Token token) {
        Anchored anchored = anchors.get(token.text);
        if (anchored == null) {
            throw failure("unknown anchor '" + token.text + "' referenced", token);
        }
        guard.node();
        YamlNode node = anchored.node;
        if (node == null) {
            wrong(
                    anchored.sequence && isMerged()
                            ? Open.noMapping(token.line, token.column)
                            : new YamlFailure(
                                    "anchor '" + token.text + "' value contains itself", token.line, token.column));
            node = new YamlNode.Null(token.line, token.column);
        } else if (!guard.alias(anchored.size)) {
            wrong(new YamlFailure("document contains excessive aliasing", token.line, token.column));
        }
        complete(node, token.line, token.column, true, false);
    }

    private void scalar(Properties properties, String text, boolean plainText) {
        boolean plain =
                properties.tag().isEmpty() ? plainText : properties.tag().equals("!");
        guard.node();
        YamlNode node;
        try {
            node = ScalarResolver.resolve(properties.tag(), text, plain, properties.line(), properties.column());
        } catch (YamlFailure e) {
            wrong(e);
            node = new YamlNode.Null(properties.line(), properties.column());
        }
        if (!properties.anchor().isEmpty()) {
            anchors.put(properties.anchor(), new Anchored(node));
        }
        boolean merge = text.equals("<<") && (plain || properties.tag().equals(ScalarResolver.MERGE));
        complete(node, properties.line(), properties.column(), false, merge);
    }

    /// Whether a value here is merged, itself or as an item of a list.
    private boolean isMerged() {
        Iterator<Open> outwards = open.descendingIterator();
        return outwards.next().expectsMerged()
                || (outwards.hasNext() && outwards.next().expectsMerged());
    }

    private void wrong(YamlFailure failure) {
        if (meaning == null || (meaning.inConversion() && !failure.inConversion())) {
            meaning = failure;
        }
    }

    /// Hands a value to the collection that it belongs to.
    private void complete(YamlNode node, int line, int column, boolean alias, boolean merge) {
        if (open.isEmpty()) {
            root = node;
            return;
        }
        try {
            open.getLast().accept(node, line, column, alias, merge, guard);
        } catch (YamlFailure e) {
            wrong(e);
        }
    }

    private void close() {
        Open collection = open.removeLast();
        YamlNode node = collection.node();
        if (repeated.size() < MOST_REPEATED) {
            repeated.addAll(collection.repeated());
        }
        collection.anchored.node = node;
        collection.anchored.size = guard.count() - collection.countBefore;
        complete(node, collection.line, collection.column, false, false);
    }

    private void nothing(int line, int column) {
        guard.node();
        complete(new YamlNode.Null(line, column), line, column, false, false);
    }

    private static YamlFailure failure(String problem, Token at) {
        return new YamlFailure(problem, at.line, at.column);
    }

    /// What the innermost collection does with the next token.
    private void step(Open inner) {
        Token token = scanner.peek();
        switch (inner.state) {
            case BLOCK_SEQUENCE -> blockSequence(token);
            case INDENTLESS_SEQUENCE -> indentlessSequence(token);
            case BLOCK_MAPPING_KEY -> blockMappingKey(inner, token);
            case BLOCK_MAPPING_VALUE -> blockMappingValue(inner, token);
            case FLOW_SEQUENCE -> flowSequence(inner, token);
            case FLOW_PAIR_KEY -> flowPairKey(inner, token);
            case FLOW_PAIR_VALUE -> flowValue(inner, token, Open.State.FLOW_PAIR_END, Token.Type.FLOW_SEQUENCE_END);
            case FLOW_PAIR_END -> close();
            case FLOW_MAPPING_KEY -> flowMappingKey(inner, token);
            case FLOW_MAPPING_VALUE ->
                flowValue(inner, token, Open.State.FLOW_MAPPING_KEY, Token.Type.FLOW_MAPPING_END);
            case FLOW_MAPPING_NO_VALUE -> {
                inner.state = Open.State.FLOW_MAPPING_KEY;
                nothing(token.line, token.column);
            }
        }
    }

    private void blockSequence(Token token) {
        if (token.type == Token.Type.BLOCK_END) {
            scanner.take();
            close();
        } else if (token.type == Token.Type.BLOCK_ENTRY) {
            Token content = next();
            if (content.type == Token.Type.BLOCK_ENTRY || content.type == Token.Type.BLOCK_END) {
                nothing(token.line, token.column);
            } else {
                node(true, false);
            }
        } else {
            throw failure("did not find expected '-' indicator", token);
        }
    }

    private void indentlessSequence(Token token) {
        if (token.type != Token.Type.BLOCK_ENTRY) {
            close();
            return;
        }
        Token content = next();
        if (content.type == Token.Type.BLOCK_ENTRY || endsBlockValue(content)) {
            nothing(token.line, token.column);
        } else {
            node(true, false);
        }
    }

    private static boolean endsBlockValue(Token token) {
        return token.type == Token.Type.KEY || token.type == Token.Type.VALUE || token.type == Token.Type.BLOCK_END;
    }

    private void blockMappingKey(Open inner, Token token) {
        if (token.type == Token.Type.BLOCK_END) {
            scanner.take();
            close();
        } else if (token.type == Token.Type.KEY) {
            inner.state = Open.State.BLOCK_MAPPING_VALUE;
            blockContent(token);
        } else {
            throw failure("did not find expected key", token);
        }
    }

    private void blockMappingValue(Open inner, Token token) {
        inner.state = Open.State.BLOCK_MAPPING_KEY;
        if (token.type == Token.Type.VALUE) {
            blockContent(token);
        } else {
            nothing(token.line, token.column);
        }
    }

    private void blockContent(Token mark) {
        if (endsBlockValue(next())) {
            nothing(mark.line, mark.column);
        } else {
            node(true, true);
        }
    }

    private void flowSequence(Open inner, Token first) {
        Token token = flowEntry(inner, first, Token.Type.FLOW_SEQUENCE_END, "did not find expected ',' or ']'");
        if (token.type == Token.Type.FLOW_SEQUENCE_END) {
            scanner.take();
            close();
        } else if (token.type == Token.Type.KEY) {
            scanner.take();
            push(new Open(Open.State.FLOW_PAIR_KEY, "", token.line, token.column, guard.count()));
        } else {
            node(false, false);
        }
    }

    private void flowPairKey(Open inner, Token token) {
        inner.state = Open.State.FLOW_PAIR_VALUE;
        if (token.type == Token.Type.VALUE
                || token.type == Token.Type.FLOW_ENTRY
                || token.type == Token.Type.FLOW_SEQUENCE_END) {
            // as go-yaml does it, the token that shows the key's absence is passed too
            scanner.take();
            nothing(token.line, token.column);
        } else {
            node(false, false);
        }
    }

    private void flowMappingKey(Open inner, Token first) {
        Token token = flowEntry(inner, first, Token.Type.FLOW_MAPPING_END, "did not find expected ',' or '}'");
        if (token.type == Token.Type.FLOW_MAPPING_END) {
            scanner.take();
            close();
        } else if (token.type == Token.Type.KEY) {
            inner.state = Open.State.FLOW_MAPPING_VALUE;
            Token content = next();
            if (content.type == Token.Type.VALUE
                    || content.type == Token.Type.FLOW_ENTRY
                    || content.type == Token.Type.FLOW_MAPPING_END) {
                nothing(content.line, content.column);
            } else {
                node(false, false);
            }
        } else {
            inner.state = Open.State.FLOW_MAPPING_NO_VALUE;
            node(false, false);
        }
    }

    private Token flowEntry(Open inner, Token token, Token.Type end, String otherwise) {
        boolean first = inner.first;
        inner.first = false;
        if (first || token.type == end) {
            return token;
        }
        if (token.type != Token.Type.FLOW_ENTRY) {
            throw failure(otherwise, token);
        }
        return next();
    }

    private void flowValue(Open inner, Token first, Open.State then, Token.Type end) {
        inner.state = then;
        Token token = first;
        if (token.type == Token.Type.VALUE) {
            token = next();
            if (token.type != Token.Type.FLOW_ENTRY && token.type != end) {
                node(false, false);
                return;
            }
        }
        nothing(token.line, token.column);
    }
}
