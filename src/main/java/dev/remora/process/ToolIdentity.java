package dev.remora.process;

import dev.remora.posix.Bytes;
import dev.remora.posix.Directory;
import dev.remora.posix.ErrnoException;
import dev.remora.posix.FileStatus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which tools a command would use now: for every word of its arguments that names a program on PATH, or a file by its
/// absolute path, the identity that the kernel gives that file (device, inode, size, time of the last change). Another
/// version of a tool is another file, so nothing has to be run to notice it.
///
/// What a tool starts that no word names (a script's own commands, a plugin of Helm) is not seen. In a container it
/// changes with the image, and then this process is another one, too.
public final class ToolIdentity {
    /// More words than this are a program of their own.
    private static final int MOST_WORDS = 128;

    /// The first group: what a shell writes to, which is no tool.
    private static final Pattern WORD = Pattern.compile("(>\\s*)?([/A-Za-z0-9][A-Za-z0-9/._+@-]*)");
    private static final Bytes ROOT = Bytes.utf8("/");

    private final ProgramLookup lookup;

    /// @param searchPath the value of PATH
    public ToolIdentity(Bytes searchPath) {
        this.lookup = new ProgramLookup(searchPath);
    }

    /// One line for each tool, in the order in which the words come.
    public String of(List<List<String>> commands) {
        StringJoiner lines = new StringJoiner("\n");
        try (Directory root = Directory.open(ROOT)) {
            for (String word : words(commands)) {
                if (lookup.find(Bytes.utf8(word)) instanceof ProgramLookup.Found.Program(Bytes path)
                        && path.at(0) == '/') {
                    lines.add(identity(root, path));
                }
            }
        } catch (ErrnoException e) {
            lines.add(e.reason());
        }
        return lines.toString();
    }

    private static Set<String> words(List<List<String>> commands) {
        Set<String> words = new LinkedHashSet<>();
        for (List<String> argv : commands) {
            for (String argument : argv) {
                Matcher word = WORD.matcher(argument);
                while (word.find() && words.size() < MOST_WORDS) {
                    if (word.group(1) == null) {
                        words.add(word.group(2));
                    }
                }
            }
        }
        return words;
    }

    private static String identity(Directory root, Bytes path) {
        try {
            FileStatus status = root.statusFollowing(path);
            return path + " " + status.device() + " " + status.inode() + " " + status.size() + " "
                    + status.changedNanos();
        } catch (ErrnoException e) {
            return path + " " + e.reason();
        }
    }
}
