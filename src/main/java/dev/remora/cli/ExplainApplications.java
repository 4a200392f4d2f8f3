package dev.remora.cli;

import dev.remora.application.Application;
import dev.remora.application.ApplicationSource;
import dev.remora.application.PluginEnvironment;
import dev.remora.cache.ReadProposal;
import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.manifest.Duplicate;
import dev.remora.manifest.RenderedObject;
import dev.remora.manifest.Tracking;
import dev.remora.posix.Bytes;
import dev.remora.render.KnownPlugin;
import dev.remora.render.LocalHost;
import dev.remora.render.Renderer;
import dev.remora.render.SourceType;
import dev.remora.telemetry.Mask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// `remora explain -f …`: renders Applications and tells of each step what was decided and why. A step that fails is
/// told with all before it, and is the command's failure then.
final class ExplainApplications {
    private static final String SCHEMA = "remora/explain/v1";

    private final SettingValues settings;
    private final Console console;
    private final ApplicationWork work;
    private final Renderer renderer;

    private ExplainApplications(SettingValues settings, Console console, ApplicationWork work) {
        this.settings = settings;
        this.console = console;
        this.work = work;
        this.renderer = work.explaining();
    }

    static int run(SettingValues settings, Console console) {
        if (settings.on(ExplainSettings.WRITE_ANNOTATION) && !settings.on(FolderSettings.READS)) {
            throw new Fault(FaultCode.USAGE, "--write-annotation writes what --reads finds: give both");
        }
        return ApplicationWork.run(
                settings, console, work -> new ExplainApplications(settings, console, work).explain());
    }

    private int explain() {
        List<Application> applications = work.asked();
        boolean json = settings.text(FolderSettings.EXPLAIN_OUTPUT).equals("json");
        List<Map<String, Object>> all = new ArrayList<>();
        List<Fault> failures = new ArrayList<>();
        int exit = ExitCode.DONE;
        for (Application application : applications) {
            Map<String, Object> told = new LinkedHashMap<>();
            Tree tree = new Tree(title(application));
            List<Fault> mine = new ArrayList<>();
            exit = Math.max(exit, explain(application, tree, told, mine));
            mine.forEach(fault -> failures.add(fault.about(application.instanceName(work.controlPlane()))));
            all.add(told);
            if (!json) {
                console.out().print(tree.text());
            }
        }
        if (json && failures.isEmpty()) {
            console.out().print(JsonDocument.write(all.size() == 1 ? all.getFirst() : list(all)));
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return exit;
    }

    private static Map<String, Object> list(List<Map<String, Object>> all) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("applications", all);
        return json;
    }

    private String title(Application application) {
        return application.instanceName(work.controlPlane()) + "  project " + application.project()
                + (application.destination().namespace().isEmpty()
                        ? ""
                        : "  to namespace " + application.destination().namespace())
                + "  (" + application.where().file() + ")";
    }

    private int explain(Application application, Tree tree, Map<String, Object> json, List<Fault> failures) {
        json.put("schema", SCHEMA);
        json.put("app", application.instanceName(work.controlPlane()));
        json.put("project", application.project());
        json.put("file", application.where().file());
        work.notes(application).forEach(note -> tree.branch("note: " + note));
        List<Map<String, Object>> sources = new ArrayList<>();
        List<RenderedObject> objects = new ArrayList<>();
        int exit = ExitCode.DONE;
        for (int position : positions(application)) {
            Tree branch = application.several()
                    ? tree.branch("source " + (position + 1) + " of "
                            + application.sources().size() + ": "
                            + where(application.sources().get(position)))
                    : tree.branch(where(application.sources().getFirst()));
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("source", position + 1);
            SourceStory story = story(application, position);
            Mask mask = work.mask(
                    application,
                    story.environment.map(PluginEnvironment::variables).orElse(List.of()));
            new SourceReport(application, position, story, tracking(application), mask).into(branch, told);
            exit = Math.max(exit, more(application, position, story, branch, told, mask, failures));
            story.objects.ifPresent(objects::addAll);
            story.failure.map(fault -> fault.reworded(mask::apply)).ifPresent(failures::add);
            sources.add(told);
        }
        List<String> duplicates = Duplicate.among(
                        objects, application.destination().namespace())
                .stream()
                .map(Duplicate::warning)
                .toList();
        duplicates.forEach(warning -> tree.branch("warning: " + warning));
        json.put("sources", sources);
        json.put("duplicates", duplicates);
        if (settings.present(FolderSettings.LIMITS)) {
            limits(tree, json);
        }
        return exit;
    }

    private static String where(ApplicationSource source) {
        return source.repoUrl()
                + (source.path().isEmpty() ? "" : "  path " + source.path())
                + (source.ref().isEmpty() ? "" : "  ref " + source.ref());
    }

    private List<Integer> positions(Application application) {
        long one = settings.number(ExplainSettings.SOURCE);
        int all = application.sources().size();
        if (one > all) {
            throw new Fault(
                    FaultCode.USAGE,
                    "--source " + one + ": " + application.name() + " has " + all
                            + (all == 1 ? " source" : " sources"));
        }
        return one == 0 ? IntStream.range(0, all).boxed().toList() : List.of((int) one - 1);
    }

    private SourceStory story(Application application, int position) {
        SourceStory story = new SourceStory(
                new SourceStory.Wanted(
                        settings.text(ExplainSettings.AT),
                        settings.on(FolderSettings.READS),
                        settings.on(ExplainSettings.CACHE),
                        settings.on(ExplainSettings.SHELL)
                                ? Optional.of(new WorkFolderShell(console))
                                : Optional.empty()),
                work.cancellation());
        if (settings.on(ExplainSettings.SHELL)) {
            return filled(story, application, position);
        }
        String label = application.name() + "  source " + (position + 1);
        return Progress.during(console, settings, label, () -> filled(story, application, position));
    }

    private SourceStory filled(SourceStory story, Application application, int position) {
        try {
            renderer.renderSource(application, position, work.cancellation(), story.phases, story);
        } catch (Fault fault) {
            story.ended(fault);
        }
        return story;
    }

    private int more(
            Application application,
            int position,
            SourceStory story,
            Tree tree,
            Map<String, Object> json,
            Mask mask,
            List<Fault> failures) {
        story.environment.ifPresent(told -> {
            EnvironmentReport report = new EnvironmentReport(
                    told.origins(),
                    SourceReport.definition(story)
                            .flatMap(plugin -> plugin.settings().environment()),
                    isServed(story),
                    mask,
                    console);
            if (settings.on(FolderSettings.ENV)) {
                report.into(tree, json);
            } else {
                report.clashes().forEach(clash -> tree.branch("warning: " + clash));
                tree.branch(told.origins().size() + " variables (--env shows them)");
            }
            if (settings.on(FolderSettings.STRICT)) {
                refuse(report, failures);
            }
        });
        story.traced.ifPresent(traced -> reads(application, story, traced, tree, json));
        if (settings.on(ExplainSettings.CACHE)) {
            new CacheReport(application, position, story, work, AnswerCache.place(settings, console)).into(tree, json);
        }
        return settings.optional(ExplainSettings.SINCE)
                .map(revision -> new SinceReport(application, position, story, work).into(revision, tree, json))
                .orElse(ExitCode.DONE);
    }

    private static void refuse(EnvironmentReport report, List<Fault> failures) {
        try {
            report.refuseClashes();
        } catch (Fault fault) {
            failures.add(fault);
        }
    }

    private static boolean isServed(SourceStory story) {
        return story.choice
                .filter(choice -> choice.type() instanceof SourceType.Plugin(KnownPlugin.Socket _))
                .isPresent();
    }

    private void reads(
            Application application, SourceStory story, LocalHost.Traced traced, Tree tree, Map<String, Object> json) {
        String path = story.effective.map(source -> source.source().path()).orElse("");
        SourceReport.definition(story).ifPresent(plugin -> {
            new ReadsReport(plugin, Bytes.utf8(path)).add(traced, tree, json);
            if (settings.on(ExplainSettings.WRITE_ANNOTATION)) {
                if (application.several()) {
                    throw new Fault(
                            FaultCode.USAGE,
                            "--write-annotation: the annotation counts for all sources; write it by hand for several");
                }
                String value = ReadProposal.of(traced.reads(), Bytes.utf8(path)).paths();
                ApplicationFile file = ApplicationFile.open(application, console);
                file.edit().annotate(Application.MANIFEST_GENERATE_PATHS, value);
                file.save();
                tree.branch("wrote manifest-generate-paths to "
                        + application.where().file());
            }
        });
    }

    private Tracking tracking(Application application) {
        return work.options().trackingOf(application);
    }

    private void limits(Tree tree, Map<String, Object> json) {
        Optional<CallerLimits> file = settings.optional(FolderSettings.LIMITS)
                .map(name -> CallerLimits.read(console.directory().resolve(name), name));
        Duration timeout = file.map(CallerLimits::controller).orElse(settings.duration(FolderSettings.TIMEOUT));
        String caller = file.map(CallerLimits::controllerPlace).orElse(settings.origin(FolderSettings.TIMEOUT));
        new LimitReport(timeout, work.hosts().timeouts(), Optional.empty(), caller, false).into(tree, json);
        file.ifPresent(limits -> limits.others().forEach(tree::branch));
        tree.branch("each try of the controller has this time for all sources together, fetching included; what a"
                + " cluster has set is seen only with --limits=FILE, its argocd-cmd-params-cm");
    }
}
