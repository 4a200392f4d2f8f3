package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationDocuments;
import dev.remora.application.ApplicationDocuments.Found;
import dev.remora.application.ApplicationEdit;
import dev.remora.application.ApplicationSource;
import dev.remora.application.PluginEnvironment;
import dev.remora.application.PluginEnvironment.PluginBlock;
import dev.remora.application.PluginParameter;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.plugin.ParameterAnnouncement;
import dev.remora.render.EffectiveSource;
import dev.remora.render.PluginHost;
import dev.remora.render.RenderRequest;
import dev.remora.render.RenderSteps;
import dev.remora.render.SourceChoice;
import dev.remora.telemetry.Phases;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// `remora params -f …`: what the plugins of an Application announce, with its own values; a check of these; and
/// changes
/// of the Application's file.
final class ParamsApplications {
    private static final String SCHEMA = "remora/params-check/v1";

    private final SettingValues settings;
    private final Console console;
    private final ApplicationWork work;

    private ParamsApplications(SettingValues settings, Console console, ApplicationWork work) {
        this.settings = settings;
        this.console = console;
        this.work = work;
    }

    static int run(SettingValues settings, Console console) {
        return ApplicationWork.run(settings, console, work -> new ParamsApplications(settings, console, work).all());
    }

    private int all() {
        List<PluginParameter> changes = ParameterFlags.parse(settings.list(FolderSettings.PLUGIN_PARAM));
        if (settings.on(ExplainSettings.WRITE) && changes.isEmpty()) {
            throw new Fault(FaultCode.USAGE, "--write writes what --plugin-param gives: give at least one");
        }
        int exit = ExitCode.DONE;
        for (Application application : work.asked()) {
            exit = Math.max(exit, changes.isEmpty() ? show(application) : change(application, changes));
        }
        return exit;
    }

    private int change(Application application, List<PluginParameter> changes) {
        ApplicationFile file = ApplicationFile.open(application, console);
        int position = onlyPosition(application);
        file.edit().setParameters(position, application.several(), changes);
        Application changed = again(application, file.edit().text());
        int exit = settings.on(ExplainSettings.CHECK) ? show(changed) : ExitCode.DONE;
        if (exit != ExitCode.DONE) {
            return exit;
        }
        if (settings.on(ExplainSettings.WRITE)) {
            file.save();
            tell("wrote " + changes.size() + (changes.size() == 1 ? " parameter" : " parameters") + " to "
                    + application.where().file());
        } else {
            console.out().print(inJson() ? JsonDocument.write(patch(file.edit())) : file.patch());
        }
        return exit;
    }

    /// A JSON patch (RFC 6902) of the Application.
    private static List<Map<String, Object>> patch(ApplicationEdit edit) {
        List<Map<String, Object>> operations = new ArrayList<>();
        for (ApplicationEdit.Operation operation : edit.operations()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("op", operation.op());
            one.put("path", operation.path());
            one.put("value", OutputIndex.plain(operation.value()));
            operations.add(one);
        }
        return operations;
    }

    /// The same Application in the text as it became.
    private static Application again(Application application, String text) {
        return ApplicationDocuments.read(application.where().file(), text.getBytes(StandardCharsets.UTF_8))
                .found()
                .stream()
                .flatMap(found -> found instanceof Found.Valid(Application read)
                                && read.where().equals(application.where())
                        ? Stream.of(read)
                        : Stream.empty())
                .findFirst()
                .orElseThrow(() -> new Fault(
                        FaultCode.USAGE,
                        application.name() + " cannot be read with these parameters; nothing is written"));
    }

    private int onlyPosition(Application application) {
        List<Integer> positions = positions(application);
        if (positions.size() != 1) {
            throw new Fault(
                    FaultCode.USAGE,
                    application.name() + " has " + positions.size() + " sources that a plugin may render; choose one"
                            + " with --source");
        }
        return positions.getFirst();
    }

    /// Sources that a plugin may render.
    private List<Integer> positions(Application application) {
        List<ApplicationSource> sources = application.sources();
        long one = settings.number(ExplainSettings.SOURCE);
        if (one > sources.size()) {
            throw new Fault(
                    FaultCode.USAGE,
                    "--source " + one + ": " + application.name() + " has " + sources.size() + " sources");
        }
        if (one > 0) {
            return List.of((int) one - 1);
        }
        return IntStream.range(0, sources.size())
                .filter(i -> !sources.get(i).isReferenceOnly()
                        && (sources.get(i).plugin().isPresent()
                                || sources.get(i).explicitTypes().isEmpty()))
                .boxed()
                .toList();
    }

    private int show(Application application) {
        int exit = ExitCode.DONE;
        List<Map<String, Object>> json = new ArrayList<>();
        for (int position : positions(application)) {
            Announced announced = announced(application, position);
            if (settings.on(ExplainSettings.CHECK)) {
                exit = Math.max(exit, check(application, position, announced, json));
            } else {
                print(application, position, announced);
            }
        }
        if (settings.on(ExplainSettings.CHECK) && inJson()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("schema", SCHEMA);
            document.put("app", application.name());
            document.put("findings", json);
            console.out().print(JsonDocument.write(document));
        }
        return exit;
    }

    private boolean inJson() {
        return settings.text(FolderSettings.PARAMS_OUTPUT).equals("json");
    }

    private void print(Application application, int position, Announced announced) {
        AnnouncementTable table = new AnnouncementTable(announced.all(), announced.statics(), announced.given());
        if (inJson()) {
            console.out().print(JsonDocument.write(table.json()));
            return;
        }
        if (application.several()) {
            console.out()
                    .println("source " + (position + 1) + ": "
                            + application.sources().get(position).repoUrl() + "  " + announced.by());
        }
        table.note(announced.by()).ifPresent(this::tell);
        console.out().print(table.text());
    }

    private int check(Application application, int position, Announced announced, List<Map<String, Object>> json) {
        ParameterCheck check = ParameterCheck.of(announced.all(), announced.given());
        String where = application.where().file() + ": " + application.name()
                + (application.several() ? " source " + (position + 1) : "") + ": ";
        check.notes().forEach(note -> tell("note: " + where + note));
        for (ParameterCheck.Finding finding : check.findings()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("rule", finding.rule());
            one.put("source", position + 1);
            one.put("parameter", finding.parameter());
            one.put("message", finding.message());
            json.add(one);
            if (!inJson()) {
                console.out().println(where + finding.message());
            }
        }
        if (check.findings().isEmpty()) {
            tell(where + announced.given().size() + " of " + announced.all().size()
                    + " announced parameters are given, nothing to report");
        }
        return check.findings().isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    /// What a plugin answered for one source.
    ///
    /// @param by its name
    /// @param statics how many of them are the definition's own, which stand last
    /// @param given what the source has, overrides included
    private record Announced(
            String by, List<ParameterAnnouncement> all, OptionalInt statics, List<PluginParameter> given) {}

    private Announced announced(Application application, int position) {
        Asking asking = new Asking();
        String label = application.name() + "  source " + (position + 1);
        return Progress.during(console, settings, label, () -> {
            try {
                work.renderer(Optional.empty())
                        .renderSource(application, position, work.cancellation(), new Phases(), asking);
            } catch (Fault fault) {
                if (asking.announced.isEmpty()) {
                    throw work.masked(fault, application);
                }
            }
            return asking.announced.orElseThrow(() -> new Fault(
                    FaultCode.PARAMETERS_INVALID,
                    application.name() + " is rendered by no plugin, so that nothing announces parameters"));
        });
    }

    /// Follows a render until the plugin would be asked to generate, and asks it for its parameters instead.
    private static final class Asking implements RenderSteps {
        private Optional<EffectiveSource> effective = Optional.empty();
        private Optional<PluginEnvironment> environment = Optional.empty();
        private OptionalInt statics = OptionalInt.empty();
        private Optional<Announced> announced = Optional.empty();

        @Override
        public void effective(int source, EffectiveSource read) {
            effective = Optional.of(read);
        }

        @Override
        public void told(int source, PluginEnvironment told) {
            environment = Optional.of(told);
        }

        @Override
        public void chosen(int source, SourceChoice choice) {
            if (choice.type()
                    instanceof
                    dev.remora.render.SourceType.Plugin(dev.remora.render.KnownPlugin.Definition definition)) {
                statics = OptionalInt.of(definition.plugin().staticParameters().size());
            }
        }

        @Override
        public void asking(int source, PluginHost host, RenderRequest request) {
            RenderRequest question = new RenderRequest(
                    request.folder(),
                    request.application(),
                    request.path(),
                    request.project(),
                    environment.orElseThrow().announcementVariables(),
                    request.timeout(),
                    request.cancellation());
            List<ParameterAnnouncement> all = host.announce(question, new Phases());
            List<PluginParameter> given = effective
                    .flatMap(read -> read.source().plugin())
                    .map(ApplicationSource.Plugin::block)
                    .map(PluginBlock::parameters)
                    .orElse(List.of());
            announced = Optional.of(new Announced(host.name(), all, statics, given));
            throw new Fault(FaultCode.CALL_CANCELLED, "stopped before generate");
        }
    }

    private void tell(String line) {
        if (!settings.on(CommonSettings.QUIET)) {
            console.err().println(line);
        }
    }
}
