package dev.remora.fault;

import static dev.remora.fault.FaultKind.BUG;
import static dev.remora.fault.FaultKind.ENVIRONMENT;
import static dev.remora.fault.FaultKind.LIMIT;
import static dev.remora.fault.FaultKind.USER;

/// Every reason to refuse, by the name that users see in brackets, in JSON and in metrics, with its kind, what it
/// means and what to do. `docs/reference/fault-codes.md` is made from this table.
public enum FaultCode {
    USAGE("cli.usage", USER, "The command line is wrong.", "Read the command's --help."),
    CONFIG_UNREADABLE(
            "plugin.unreadable", USER, "The plugin definition cannot be read.", "Check the path and its rights."),
    CONFIG_INVALID(
            "plugin.invalid",
            USER,
            "The plugin definition breaks a rule; every broken rule is listed with line and column.",
            "Mend the lines that the message names."),
    SOCKET_CLASH(
            "serve.socket-clash",
            USER,
            "Two plugin definitions ask for one socket.",
            "Give one another name or version."),
    SERVE_START(
            "serve.start",
            ENVIRONMENT,
            "The server could not start.",
            "See the message: folder, rights or a busy socket."),
    STREAM_INVALID(
            "stream.invalid",
            USER,
            "The caller broke the order of the request stream.",
            "Use an Argo CD client from 2.8 on."),
    STREAM_CHECKSUM(
            "stream.checksum",
            USER,
            "The received archive is not the one that was announced.",
            "Look for a caller that was cut off; try again."),
    ARCHIVE_INVALID(
            "archive.invalid",
            USER,
            "The archive cannot be unpacked safely.",
            "Mend or exclude the entry that the message names."),
    ARCHIVE_LIMIT(
            "archive.limit",
            LIMIT,
            "The archive is larger than a limit allows.",
            "Exclude files, or raise the limit that the message names."),
    ARCHIVE_PACKING(
            "archive.packing",
            ENVIRONMENT,
            "A folder cannot be packed.",
            "Check that everything in it may be read, or exclude it."),
    APPLICATION_INVALID(
            "application.invalid",
            USER,
            "An Application cannot be used.",
            "Correct what the message names, by line and column."),
    PATH_OUTSIDE(
            "path.outside",
            USER,
            "The application's path leaves the repository.",
            "Use a path below the repository's root."),
    PATH_INVALID("path.invalid", USER, "The application's path cannot be used.", "Check spec.source.path."),
    WORKSPACE(
            "workspace.failed",
            ENVIRONMENT,
            "A request's folder cannot be made, written or removed.",
            "Check space, inodes and rights of the work folder."),
    ENVIRONMENT_CLASH(
            "environment.clash",
            USER,
            "Two sources give one variable, and only the last one counts.",
            "Rename one of the parameters or variables that the message names."),
    COMMAND_EMPTY("command.empty", USER, "A command of the definition has no program.", "Name the program to run."),
    COMMAND_START(
            "command.start",
            ENVIRONMENT,
            "A command cannot be started.",
            "Install the program, or correct its name or path."),
    COMMAND_FAILED("command.failed", USER, "A command ended with an error.", "Read its standard error in the message."),
    COMMAND_KILLED(
            "command.killed",
            ENVIRONMENT,
            "A command was ended by a signal from outside.",
            "Look for who sent it; out of memory is the usual one."),
    COMMAND_OUT_OF_MEMORY(
            "command.out-of-memory",
            LIMIT,
            "A command was ended because the container's memory ran out.",
            "Raise the container's memory limit, or lower limits.parallel."),
    COMMAND_TIMEOUT(
            "command.timeout",
            LIMIT,
            "A command ran longer than its limit.",
            "Raise the setting that the message names."),
    COMMAND_OUTPUT_LIMIT(
            "command.output-limit",
            LIMIT,
            "A command printed more than limits.output.",
            "Print less, or raise limits.output and ARGOCD_GRPC_MAX_SIZE_MB."),
    COMMAND_PROCESS_LIMIT(
            "command.process-limit",
            LIMIT,
            "A render started more processes than limits.processes.",
            "Start fewer at once, or raise the limit."),
    CALL_DEADLINE(
            "call.deadline",
            LIMIT,
            "The caller's time ran out.",
            "Raise the caller's timeout, or do less: the message names the phases."),
    CALL_CANCELLED(
            "call.cancelled",
            ENVIRONMENT,
            "The caller went away before the answer.",
            "Look at the caller; nothing is wrong here."),
    MESSAGE_TOO_LARGE(
            "call.message-too-large",
            LIMIT,
            "A message is larger than the server takes.",
            "Raise ARGOCD_GRPC_MAX_SIZE_MB of the server, or lower ARGOCD_CMP_CHUNK_SIZE of the caller."),
    CALL_REFUSED(
            "call.refused",
            LIMIT,
            "The call cannot be served in its time because too many wait before it.",
            "Raise limits.parallel or the caller's timeout."),
    SERVER_MEMORY(
            "serve.memory",
            LIMIT,
            "The server's own memory is used up.",
            "Give it more by -Xmx in REMORA_JAVA_OPTS, print less, or lower remora.limits.parallel."),
    SERVER_STOPPING("serve.stopping", ENVIRONMENT, "The server is stopping.", "Try again in a moment."),
    PROJECT_REFUSED(
            "plugin.project",
            USER,
            "The plugin may not be used by this AppProject.",
            "Add the project to remora.projects, or use another plugin."),
    PLUGIN_ABSENT(
            "plugin.absent",
            USER,
            "No plugin renders the source.",
            "Correct spec.source.plugin.name, or name the plugin's definition or socket."),
    PLUGIN_CLASH(
            "plugin.clash", USER, "Two plugins have one name.", "Give one another name or version, or leave it out."),
    SOURCE_TYPE(
            "source.type",
            USER,
            "How a source is rendered cannot be told.",
            "State one type: spec.source.plugin, helm, kustomize or directory."),
    SOURCE_NOT_YET(
            "source.not-yet",
            USER,
            "The source is of a type that this version does not render.",
            "Render it with its own tool, or by a plugin that runs it."),
    DIRECTORY_INVALID(
            "directory.invalid",
            USER,
            "A file of a plain directory cannot be used.",
            "Mend the file that the message names, or leave it out by spec.source.directory.exclude."),
    DIRECTORY_LIMIT(
            "directory.limit",
            LIMIT,
            "The files of a plain directory are larger than a limit allows.",
            "Split the directory, or raise the limit that the message names."),
    OUTPUT_INVALID(
            "output.invalid",
            USER,
            "The output is neither YAML nor JSON that Argo CD can read.",
            "Mend the line that the message names."),
    OUTPUT_NOT_UTF8(
            "output.not-utf8",
            USER,
            "The output holds a byte that is not UTF-8.",
            "Print UTF-8; base64 binary values."),
    OUTPUT_EMPTY(
            "render.empty-output",
            USER,
            "The command succeeded and printed no object; Argo CD would prune the application.",
            "Mend the command, or state remora: {output: {allowEmpty: true}}."),
    OUTPUT_LOST(
            "output.lost-document",
            USER,
            "Argo CD would silently drop a part of the output.",
            "Separate documents by a line of three dashes."),
    OUTPUT_NOT_OBJECT(
            "output.not-object",
            USER,
            "A document is not a Kubernetes object.",
            "Print only objects with apiVersion and kind; noise belongs on standard error."),
    OUTPUT_FORBIDDEN(
            "output.forbidden",
            USER,
            "The output holds text that a guard forbids, such as SOPS cipher text.",
            "Decrypt before printing, or allow it in remora.output."),
    MANIFEST_CONVERSION(
            "manifest.conversion",
            USER,
            "Argo CD's repo-server cannot make an object of what the plugin printed.",
            "Print objects with a kind, as plain JSON or YAML; the message says which text Argo CD refuses."),
    MANIFEST_TRACKING(
            "manifest.tracking",
            USER,
            "An object cannot be marked as the Application's.",
            "Write annotations and labels as texts, in quotes where they look like numbers."),
    OUTPUT_FOLDER(
            "output.folder",
            ENVIRONMENT,
            "The folder for results cannot be written.",
            "Check its space and rights, or name another one."),
    OUTPUT_TOO_LARGE(
            "output.too-large",
            LIMIT,
            "The answer is larger than a message may be.",
            "Raise ARGOCD_GRPC_MAX_SIZE_MB on both sides, or split the application."),
    PARAMETERS_INVALID(
            "parameters.invalid",
            USER,
            "The parameters command did not print a JSON list of announcements.",
            "Print what spec.parameters.dynamic expects."),
    DISCOVERY_FAILED(
            "discovery.failed",
            USER,
            "Whether the plugin wants the repository cannot be told.",
            "Mend the discover rule that the message names."),
    HOST_UNREACHABLE(
            "host.unreachable",
            ENVIRONMENT,
            "The plugin server cannot be reached.",
            "Check that it runs and that its socket may be opened."),
    HOST_REFUSED("host.refused", USER, "The plugin server answered with an error.", "Read its message."),
    GIT_ABSENT(
            "git.absent",
            USER,
            "The server answers that there is no such repository.",
            "Check the URL; a server may also hide a private repository from who is not logged in."),
    GIT_AMBIGUOUS(
            "git.ambiguous",
            USER,
            "A revision is two commits, and Argo CD would take either by chance.",
            "Write the ref in full, such as refs/tags/v1."),
    GIT_CACHE(
            "git.cache",
            ENVIRONMENT,
            "The folder of fetched repositories cannot be used.",
            "Check its space and rights, or name another one."),
    CACHE_KEY(
            "cache.key",
            ENVIRONMENT,
            "The key of kept answers cannot be used.",
            "Do what the message says; without --cache-dir no key is needed."),
    CACHE_FOLDER(
            "cache.folder",
            ENVIRONMENT,
            "The folder of kept answers cannot be used.",
            "Check its space and rights, or name another one with --cache-dir."),
    WATCH(
            "watch.failed",
            ENVIRONMENT,
            "Files cannot be watched.",
            "Watch fewer folders, or raise the system's limit that the message names."),
    GIT_CREDENTIALS(
            "git.credentials",
            USER,
            "Credentials for repositories cannot be used as they are written.",
            "Mend the Secret that the message names."),
    GIT_FAILED("git.failed", ENVIRONMENT, "Git failed.", "Read its words in the message."),
    GIT_LOGIN(
            "git.login",
            ENVIRONMENT,
            "The repository's server refuses the login, or wants one.",
            "Give a Secret with --credentials, or log in with your own git."),
    GIT_NETWORK(
            "git.network",
            ENVIRONMENT,
            "The repository's server cannot be reached, or the connection broke.",
            "Check the network and the proxy; try again."),
    GIT_PROGRAM("git.program", ENVIRONMENT, "Git is not there or too old.", "Install git 2.36 or newer."),
    GIT_REVISION(
            "git.revision",
            USER,
            "The repository has no such revision.",
            "Check targetRevision; the message lists the nearest names."),
    GIT_TREE("git.tree", USER, "A commit's files cannot be used.", "Mend the repository as the message says."),
    GIT_TRUST(
            "git.trust",
            ENVIRONMENT,
            "The server's host key or certificate is not known.",
            "Add it: ssh_known_hosts, or the certificate authority, among the credentials."),
    GIT_URL("git.url", USER, "The repository's URL is refused.", "Use https://, ssh://, user@host:path or file:///."),
    UNSUPPORTED_SYSTEM("system.unsupported", ENVIRONMENT, "This needs Linux.", "Run it in a Linux container."),
    SANDBOX_UNSUPPORTED(
            "sandbox.unsupported",
            ENVIRONMENT,
            "This kernel cannot fence files and sockets, and --require-sandbox is set.",
            "Use a node whose kernel has Landlock and seccomp; remora doctor tells what is missing."),
    INTERNAL("internal", BUG, "A fault of Remora itself.", "Report it with the message and the log.");

    private final String id;
    private final FaultKind kind;
    private final String summary;
    private final String advice;

    FaultCode(String id, FaultKind kind, String summary, String advice) {
        this.id = id;
        this.kind = kind;
        this.summary = summary;
        this.advice = advice;
    }

    /// The name that users see, such as `render.empty-output`.
    public String id() {
        return id;
    }

    public FaultKind kind() {
        return kind;
    }

    public String summary() {
        return summary;
    }

    public String advice() {
        return advice;
    }
}
