package dev.remora.cli;

import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.application.PluginParameter;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.render.PluginHost;
import dev.remora.telemetry.Phases;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// `remora params`: what the plugin announces, as Argo CD's parameter page shows it.
final class ParamsCommand {
    private ParamsCommand() {}

    static int run(SettingValues settings, List<String> words, Console console) {
        if (words.isEmpty()) {
            return ParamsApplications.run(settings, console);
        }
        ApplicationWork.refuseFiles(settings, "asks for");
        return FolderWork.run(settings, words.getFirst(), console, work -> print(settings, work, console));
    }

    private static int print(SettingValues settings, FolderWork work, Console console) {
        List<ParameterAnnouncement> announced;
        String name;
        PluginReference plugin = work.plugin();
        try (PluginHost host = work.host(plugin, Optional.empty())) {
            String label = work.options().name() + "  " + host.name();
            name = host.name();
            announced = Progress.during(console, settings, label, () -> host.announce(work.request(), new Phases()));
        }
        List<PluginParameter> given = work.options()
                .environment()
                .plugin()
                .map(PluginBlock::parameters)
                .orElse(List.of());
        AnnouncementTable table = new AnnouncementTable(announced, statics(plugin), given);
        if (!settings.on(CommonSettings.QUIET)) {
            table.note(name).ifPresent(console.err()::println);
        }
        console.out()
                .print(
                        settings.text(FolderSettings.PARAMS_OUTPUT).equals("json")
                                ? JsonDocument.write(table.json())
                                : table.text());
        return ExitCode.DONE;
    }

    private static OptionalInt statics(PluginReference plugin) {
        return switch (plugin) {
            case PluginReference.Socket _ -> OptionalInt.empty();
            case PluginReference.Definition definition ->
                OptionalInt.of(definition.plugin().staticParameters().size());
        };
    }
}
