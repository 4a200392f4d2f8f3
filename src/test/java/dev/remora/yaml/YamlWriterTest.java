package dev.remora.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.fault.FaultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// What is written reads back as the same tree, for readers of YAML 1.1 (ours) and of YAML 1.2 (another library).
class YamlWriterTest {
    private static final int ROUNDS = 400;
    private static final String[] TEXTS = {
        "",
        "a",
        "yes",
        "No",
        "on",
        "y",
        "~",
        "null",
        "NULL",
        "1",
        "-1",
        "1.0",
        "1e3",
        "0x1F",
        "0o17",
        "0777",
        "1_000",
        "12:30",
        "2001-01-01",
        ".inf",
        ".nan",
        ".",
        "..",
        "...",
        "-",
        "--",
        "---",
        "- a",
        "? a",
        ": a",
        "a:",
        "a: b",
        "a #b",
        "#a",
        "a#b",
        " a",
        "a ",
        "\ta",
        "a\tb",
        "\n",
        "a\n",
        "a\nb",
        "a\nb\n",
        "a\n\nb\n\n\n",
        "\na\n",
        " a\nb\n",
        "a \nb",
        "a\n b\n",
        "a\n\tb\n",
        "a\r\nb",
        "\u0000",
        "\u0007\u001B",
        "\u007F",
        "\u0085",
        "\u00A0",
        "\u2028x",
        "\uFEFFa",
        "\uFFFE",
        "é",
        "😀",
        "\\",
        "\"",
        "'",
        "''",
        "{a: 1}",
        "[1]",
        "{",
        "}",
        "*a",
        "&a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "=",
        "<<",
        "a,b",
        "http://x?y=1#z",
        "nginx:1.2",
        "a/b.c-d_e",
        "x".repeat(600),
        "x\n".repeat(40),
        "---\na\n",
        "a\n---\nb\n",
        "# a\nb\n",
        "true",
        "x: |\n  y\n",
        "Infinity",
        "NaN",
        "+1",
        "1.",
        ".5",
        "0b1",
        "1:30:00"
    };

    private static YamlNode read(String text) {
        return new YamlReader("f", FaultCode.OUTPUT_INVALID).read(text.getBytes(UTF_8));
    }

    private static Object readAsYaml12(String text) {
        return new Load(LoadSettings.builder().setCodePointLimit(100 << 20).build()).loadFromString(text);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsWrittenReadsBackTheSame(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            YamlNode tree = tree(random, 4);
            String text = YamlWriter.text(tree);

            assertThat(GoJson.text(read(text))).as(text).isEqualTo(GoJson.text(tree));
            assertThat(readAsYaml12(text)).as(text).isEqualTo(plain(tree));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "x: "})
    void textsReadBackAsTextsAlone(String before) {
        for (String text : TEXTS) {
            YamlNode tree = before.isEmpty()
                    ? YamlNode.text(text)
                    : YamlNode.map(List.of(YamlNode.entry(text, YamlNode.list(List.of(YamlNode.text(text))))));
            assertThat(GoJson.text(read(YamlWriter.text(tree)))).isEqualTo(GoJson.text(tree));
        }
    }

    private static YamlNode tree(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 9)) {
            case 0, 1 -> YamlNode.text(text(random));
            case 2 -> new YamlNode.Bool(random.nextBoolean(), "", 0, 0);
            case 3 -> number(random.nextInt(-1000, 1000));
            case 4 -> new YamlNode.Null(0, 0);
            case 5, 6 -> {
                var items = new ArrayList<YamlNode>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(tree(random, depth - 1));
                }
                yield YamlNode.list(items);
            }
            default -> {
                var entries = new java.util.LinkedHashMap<String, YamlNode.Entry>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    String key = text(random);
                    entries.put(key, YamlNode.entry(key, tree(random, depth - 1)));
                }
                yield YamlNode.map(List.copyOf(entries.values()));
            }
        };
    }

    private static YamlNode number(int value) {
        return new YamlNode.Number(Integer.toString(value), "", true, 0, 0);
    }

    private static String text(Random random) {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        return random.nextInt(3) > 0 ? text : text + TEXTS[random.nextInt(TEXTS.length)];
    }

    private static @org.jspecify.annotations.Nullable Object plain(YamlNode node) {
        return switch (node) {
            case YamlNode.Text text -> text.value();
            case YamlNode.Bool bool -> bool.value();
            case YamlNode.Number number -> Integer.parseInt(number.json());
            case YamlNode.Null _ -> null;
            case YamlNode.Sequence list -> {
                var items = new ArrayList<@org.jspecify.annotations.Nullable Object>();
                list.items().forEach(item -> items.add(plain(item)));
                yield items;
            }
            case YamlNode.Mapping map -> {
                var entries = new java.util.LinkedHashMap<String, @org.jspecify.annotations.Nullable Object>();
                map.entries().forEach(entry -> entries.put(entry.key(), plain(entry.value())));
                yield entries;
            }
        };
    }
}
