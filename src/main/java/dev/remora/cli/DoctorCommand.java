package dev.remora.cli;

import dev.remora.cli.Setting.Places;
import dev.remora.posix.Libc;
import dev.remora.sandbox.KernelSupport;
import dev.remora.sandbox.KernelSupport.Layer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `remora doctor`: whether this machine, or this container, has what Remora builds on. The kernel's layers are tried,
/// not read from a version. Every finding ends in what repairs it.
final class DoctorCommand {
    private static final Setting OUTPUT = Setting.choice("output", "text", "the form of the result", "text", "json")
            .withLetter("o")
            .only(Places.FLAG);
    private static final Setting WORKDIR = Setting.of(
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
                    + " Looks for git and at the work folder. Run it in the sidecar's container to know what holds there:"
                    + " kubectl exec POD -c PLUGIN -- remora doctor.",
            List.of(),
            List.of(OUTPUT, WORKDIR, CommonSettings.HELP),
            List.of("remora doctor", "remora doctor -o json"),
            "0 nothing to report or warnings only, 1 a check failed, 2 wrong use");

    private static final String SCHEMA = "remora/doctor/v1";

    /// What a strict sandbox cannot do without.
    private static final List<Layer> NEEDED = List.of(Layer.NO_NEW_PRIVILEGES, Layer.FILES, Layer.SYSTEM_CALLS);

    private final Console console;
    private final List<Check> checks = new ArrayList<>();

    /// How a check went.
    private enum Result {
        OK("ok  "),
        WARN("WARN"),
        FAIL("FAIL");

        private final String word;

        Result(String word) {
            this.word = word;
        }
    }

    private record Check(Result result, String name, String finding, Optional<String> advice) {}

    private DoctorCommand(Console console) {
        this.console = console;
    }

    static int run(SettingValues settings, Console console) {
        DoctorCommand doctor = new DoctorCommand(console);
        doctor.look(settings);
        if (settings.text(OUTPUT).equals("json")) {
            console.out().print(JsonDocument.write(doctor.json()));
        } else {
            console.out().print(doctor.text());
        }
        return doctor.count(Result.FAIL) > 0 ? ExitCode.FOUND : ExitCode.DONE;
    }

    private void look(SettingValues settings) {
        Libc.unsupported()
                .ifPresentOrElse(
                        why -> add(Result.FAIL, "system", why, "run Remora in a Linux container with glibc"),
                        () -> add(Result.OK, "system", "Linux, " + System.getProperty("os.arch") + ", glibc"));
        kernel(KernelSupport.probeThoroughly());
        git();
        workFolder(settings.optional(WORKDIR)
                .map(console.directory()::resolve)
                .orElse(ApplicationOptions.temporary(console)));
    }

    private void kernel(KernelSupport kernel) {
        for (Layer layer : Layer.values()) {
            String why = kernel.missing().get(layer);
            if (why == null) {
                add(Result.OK, layer.word(), layer.promise());
            } else {
                add(
                        NEEDED.contains(layer) ? Result.FAIL : Result.WARN,
                        layer.word(),
                        layer.consequence() + " (" + why + ")",
                        "use a node with " + layer.since());
            }
        }
        if (kernel.canBeStrict()) {
            add(Result.OK, "sandbox", "files and sockets can be fenced; a definition asks by remora: {sandbox: {}}");
        } else {
            add(
                    Result.FAIL,
                    "sandbox",
                    "files and sockets cannot be fenced; serve --require-sandbox would not start",
                    "use a node with Landlock and seccomp, or trust every plugin of this sidecar");
        }
    }

    private void git() {
        String path = console.environment().getOrDefault("PATH", "");
        Optional<Path> git = Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "git"))
                .filter(Files::isExecutable)
                .findFirst();
        git.ifPresentOrElse(
                found -> add(Result.OK, "git", found.toString()),
                () -> add(
                        Result.WARN,
                        "git",
                        "not on PATH; render cannot tell a folder's revision",
                        "install git, or give --revision and --repo-url"));
    }

    private void workFolder(Path folder) {
        if (Files.isDirectory(folder) && Files.isWritable(folder)) {
            add(Result.OK, "work folder", folder + " is writable");
        } else {
            add(
                    Result.FAIL,
                    "work folder",
                    folder + (Files.isDirectory(folder) ? " is not writable" : " is no folder"),
                    "mount a volume there, or name another by ARGOCD_CMP_WORKDIR");
        }
    }

    private void add(Result result, String name, String finding) {
        checks.add(new Check(result, name, finding, Optional.empty()));
    }

    private void add(Result result, String name, String finding, String advice) {
        checks.add(new Check(result, name, finding, Optional.of(advice)));
    }

    private long count(Result result) {
        return checks.stream().filter(check -> check.result() == result).count();
    }

    private String text() {
        int width =
                checks.stream().mapToInt(check -> check.name().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Check check : checks) {
            text.append(check.result().word)
                    .append("  ")
                    .append(HelpText.padded(check.name(), width))
                    .append("  ")
                    .append(TextTable.shown(check.finding()))
                    .append(check.advice().map(advice -> " → " + advice).orElse(""))
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
        json.put("checks", checks.stream().map(DoctorCommand::json).toList());
        return json;
    }

    private static Map<String, Object> json(Check check) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", check.name());
        one.put("result", check.result().word.strip().toLowerCase(java.util.Locale.ROOT));
        one.put("finding", check.finding());
        check.advice().ifPresent(advice -> one.put("advice", advice));
        return one;
    }
}
