package dev.remora.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.manifest.ObjectPrinter.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectPrinterTest {
    private static final List<RenderedObject> OBJECTS = Rendered.of("""
            {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: prod}, x: 1e3}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: db}, stringData: {password: hunter2}}
            """);

    @Test
    void printsYamlDocuments() {
        assertThat(ObjectPrinter.text(Form.YAML, OBJECTS, true)).isEqualTo("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: web
                  namespace: prod
                x: 1000
                ---
                apiVersion: v1
                kind: Secret
                metadata:
                  name: db
                stringData:
                  password: "******"
                """);
    }

    @Test
    void showsSecretsWhereNotMasked() {
        assertThat(ObjectPrinter.text(Form.YAML, OBJECTS, false)).contains("password: hunter2");
    }

    @Test
    void printsOneListInJson() {
        assertThat(ObjectPrinter.text(Form.JSON, OBJECTS.subList(0, 1), false)).isEqualTo("""
                {
                    "apiVersion": "v1",
                    "items": [
                        {
                            "apiVersion": "apps/v1",
                            "kind": "Deployment",
                            "metadata": {
                                "name": "web",
                                "namespace": "prod"
                            },
                            "x": 1000
                        }
                    ],
                    "kind": "List"
                }
                """);
    }

    @Test
    void printsAnEmptyListInJson() {
        assertThat(ObjectPrinter.text(Form.JSON, List.of(), false)).contains("\"items\": [],");
    }

    @Test
    void joinsTheListsOfSeveralApplications() {
        StringBuilder text = new StringBuilder();
        ObjectPrinter printer = new ObjectPrinter(Form.JSON, true, text::append);

        printer.print("a", OBJECTS);
        printer.print("b", List.of());
        printer.print("c", OBJECTS);
        printer.finish();

        assertThat(text.toString().split("\"kind\": \"Deployment\"", -1)).hasSize(3);
        assertThat(text).contains("},\n        {").doesNotContain("hunter2");
    }

    @Test
    void printsNames() {
        assertThat(ObjectPrinter.text(Form.NAME, OBJECTS, false)).isEqualTo("deployment.apps/web\nsecret/db\n");
    }

    @Test
    void printsATable() {
        assertThat(ObjectPrinter.text(Form.WIDE, OBJECTS, false)).isEqualTo("""
                NAMESPACE   NAME   KIND         APIVERSION   FROM
                prod        web    Deployment   apps/v1      line 1
                            db     Secret       v1           line 3
                """);
    }

    @Test
    void namesTheApplicationsInATableOfSeveral() {
        StringBuilder text = new StringBuilder();
        ObjectPrinter printer = new ObjectPrinter(Form.WIDE, true, text::append);

        printer.print("shop", OBJECTS.subList(0, 1));
        printer.print("pay", OBJECTS.subList(1, 2));
        printer.finish();

        assertThat(text.toString().lines()).first().asString().startsWith("APPLICATION   NAMESPACE");
        assertThat(text).contains("\nshop ").contains("\npay ");
    }

    @Test
    void letsNoNameDriveTheTerminal() {
        List<RenderedObject> hostile = Rendered.of("{kind: A, metadata: {name: \"a\\e[2J\\nb\"}}");

        assertThat(ObjectPrinter.text(Form.NAME, hostile, false)).isEqualTo("a/a\\u001b[2J\\u000ab\n");
    }
}
