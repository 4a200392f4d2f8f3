package dev.remora.cli;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// `remora package`.
final class PackageCommand {
    static final Setting OUTPUT_DIR = Setting.of(
                    "output-dir", SettingKind.TEXT, "DIR", "", "the folder to make; it must be new or empty")
            .only(Setting.Places.FLAG);

    static final CommandModel MODEL = new CommandModel(
            "package",
            "make one folder that runs without an installed Java",
            "Makes a folder with a Java runtime, Remora, its start cache and bin/remora. It runs from any path, also"
                    + " read-only and as any user, wherever there are /bin/sh and the glibc that the JDK needs. A"
                    + " packaged Remora copies itself, so that an init container can lay it beside any tool.",
            List.of(),
            List.of(OUTPUT_DIR, CommonSettings.DIRECTORY, CommonSettings.QUIET, CommonSettings.HELP),
            List.of(
                    "remora package --output-dir dist                  # from a checkout, with a JDK",
                    "/opt/remora/bin/remora package --output-dir /shared/remora    # in an init container"),
            "0 done, 2 wrong use, 5 the folder cannot be written or this Java cannot link, 70 a fault of Remora");

    private static final double MEBIBYTE = 1024 * 1024;

    private PackageCommand() {}

    static int run(SettingValues settings, Console console) {
        String name = settings.optional(OUTPUT_DIR)
                .orElseThrow(() -> new Fault(FaultCode.USAGE, "--output-dir is missing; name the folder to make"));
        Path target = console.directory().resolve(name);
        boolean quiet = settings.on(CommonSettings.QUIET);
        // Set by the packaged launcher.
        Optional<Path> packaged =
                Optional.ofNullable(System.getProperty("remora.package")).map(Path::of);
        long size = new PackageFolder(target, quiet ? line -> {} : console.err()::println).make(packaged);
        if (!quiet) {
            console.err().println(String.format(Locale.ROOT, "%s: %.1f MiB", target, size / MEBIBYTE));
        }
        return ExitCode.DONE;
    }
}
