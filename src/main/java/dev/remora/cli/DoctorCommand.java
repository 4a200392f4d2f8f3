package dev.remora.cli;

import dev.remora.cli.Check.Result;
import dev.remora.cli.Setting.Places;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `remora doctor`: whether this machine, or this container, has what Remora builds on. The kernel's layers are tried,
/// not read from a version; tools are asked for theirs. Every finding ends in what repairs it.
final class DoctorCommand {
    static final Setting OUTPUT = Setting.choice("output", "text", "the form of the result", "text", "json")
            .withLetter("o")
            .only(Places.FLAG);
    private static final Setting FIX = Setting.onOff(
                    "fix", "correct what is a matter of a local file's mode, and tell what was done")
            .only(Places.FLAG);
    private static final Setting BUNDLE = Setting.of(
                    "bundle",
                    SettingKind.TEXT,
                    "FILE.tgz",
                    "",
                    "also write what a bug report needs, without secret values, and list it before")
            .only(Places.FLAG);
    static final Setting WORKDIR = Setting.of(
                    "workdir",
                    SettingKind.TEXT,
                    "DIR",
                    "",
                    "where work folders are made; default: the system's folder for temporary files")
            .alsoFrom("ARGOCD_CMP_WORKDIR")
            .only(Places.VARIABLE);

    static final CommandModel MODEL = new CommandModel(
            "doctor",
            "tell whether this machine has what Remora needs, and what its kernel can fence",
            "Tries what commands are held with: every layer of the sandbox is put on a thread and then broken on purpose."
                    + " Asks git and the usual tools for their versions, looks for the keys that SOPS would use, at the"
                    + " work folder and at the cache. Run it in the sidecar's container to know what holds there:"
                    + " kubectl exec POD -c PLUGIN -- remora doctor.",
            List.of(),
            List.of(OUTPUT, FIX, BUNDLE, WORKDIR, CommonSettings.HELP),
            List.of("remora doctor", "remora doctor -o json", "remora doctor --bundle report.tgz"),
            "0 nothing to report or warnings only, 1 a check failed, 2 wrong use, 5 the bundle could not be written");

    private static final String SCHEMA = "remora/doctor/v1";

    private final Console console;
    private final List<Check> checks = new ArrayList<>();

    private DoctorCommand(Console console) {
        this.console = console;
    }

    static int run(SettingValues settings, Console console) {
        DoctorCommand doctor = new DoctorCommand(console);
        doctor.look(settings);
        if (settings.on(FIX)) {
            doctor.checks.replaceAll(DoctorCommand::fixed);
        }
        Map<String, Object> json = doctor.json();
        boolean asJson = settings.text(OUTPUT).equals("json");
        if (!asJson) {
            console.out().print(doctor.text());
        }
        settings.optional(BUNDLE).ifPresent(file -> {
            DoctorBundle bundle = DoctorBundle.collect(console, doctor.text(), JsonDocument.write(json));
            json.put("bundle", bundle.json(file));
            if (!asJson) {
                console.out().print(bundle.listing(file));
            }
            bundle.write(console.directory().resolve(file));
        });
        if (asJson) {
            console.out().print(JsonDocument.write(json));
        }
        return doctor.count(Result.FAIL) > 0 ? ExitCode.FOUND : ExitCode.DONE;
    }

    private void look(SettingValues settings) {
        checks.addAll(KernelChecks.look());
        ToolChecks tools = new ToolChecks(console);
        checks.addAll(tools.look());
        checks.addAll(new KeyChecks(console.environment(), tools.find("sops").isPresent()).look());
        checks.addAll(FolderChecks.look(
                settings.optional(WORKDIR)
                        .map(console.directory()::resolve)
                        .orElse(ApplicationOptions.temporary(console)),
                console.environment()));
    }

    private static Check fixed(Check check) {
        if (check.repair().isEmpty()) {
            return check;
        }
        try {
            return Check.ok(
                    check.name(), check.finding() + "; " + check.repair().get().make());
        } catch (IOException e) {
            return new Check(
                    check.result(),
                    check.name(),
                    check.finding() + "; --fix could not correct it: " + dev.remora.fault.Fault.words(e),
                    check.advice(),
                    Optional.empty());
        }
    }

    private long count(Result result) {
        return checks.stream().filter(check -> check.result() == result).count();
    }

    private String text() {
        int width =
                checks.stream().mapToInt(check -> check.name().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Check check : checks) {
            text.append(check.result().word())
                    .append("  ")
                    .append(HelpText.padded(check.name(), width))
                    .append("  ")
                    .append(TextTable.shown(check.finding()))
                    .append(check.advice()
                            .map(advice -> " → " + TextTable.shown(advice))
                            .orElse(""))
                    .append('\n');
        }
        long failed = count(Result.FAIL);
        long warned = count(Result.WARN);
        return text.append(failed)
                .append(failed == 1 ? " failed check, " : " failed checks, ")
                .append(warned)
                .append(warned == 1 ? " warning, " : " warnings, ")
                .append(count(Result.OK))
                .append(" ok\n")
                .toString();
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("ok", count(Result.FAIL) == 0);
        json.put("checks", checks.stream().map(Check::json).toList());
        return json;
    }
}
