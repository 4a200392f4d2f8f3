package dev.remora.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.posix.Bytes;
import dev.remora.sandbox.Access;
import dev.remora.sandbox.Access.Use;
import dev.remora.sandbox.FileFence;
import dev.remora.sandbox.Syscall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is proposed for what was seen, on a file system of names alone.
class SandboxProposalTest {
    private static final FileFence GRANTED = new FileFence(
            List.of(Bytes.utf8("/usr"), Bytes.utf8("/bin")),
            List.of(Bytes.utf8("/work/tree"), Bytes.utf8("/dev/null")));

    private final List<Access> seen = new ArrayList<>();
    private final Map<String, String> links = new HashMap<>(Map.of("/bin", "/usr/bin"));

    @Test
    void proposesNothingForWhatEveryStrictRenderReaches() {
        file(Use.EXECUTE, "/bin/sh", "/usr/bin/sh");
        file(Use.WRITE, "/work/tree/a");
        file(Use.READ, "/work/tree/b");
        file(Use.WRITE, "/dev/null");
        assertThat(lines()).containsExactly("remora:", "  sandbox:", "    network: none");
    }

    @Test
    void allowsALoneFileByItselfAndTwoByTheirFolder() {
        file(Use.READ, "/srv/lone/key");
        file(Use.READ, "/srv/keys/a");
        file(Use.READ, "/srv/keys/b");
        assertThat(lines())
                .contains(
                        "    - /srv/keys  # p reads /srv/keys/a, p reads /srv/keys/b",
                        "    - /srv/lone/key  # p reads /srv/lone/key");
    }

    @Test
    void allowsAMountedSecretByItsFolderBecauseItsFilesMove() {
        file(Use.READ, "/srv/keys/a", "/srv/keys/..2026_12_01/a");
        assertThat(lines()).contains("    - /srv/keys  # p reads /srv/keys/a");
    }

    @Test
    void allowsAFileThatALinkLeadsElsewhereByItself() {
        links.put("/srv/keys/a", "/data/a");
        file(Use.READ, "/srv/keys/a", "/data/a");
        file(Use.READ, "/srv/keys/b");
        assertThat(lines())
                .contains("    - /srv/keys  # p reads /srv/keys/b", "    - /srv/keys/a  # p reads /srv/keys/a");
    }

    @Test
    void neverLetsAFolderOfManyStandForItsFiles() {
        file(Use.READ, "/srv/a");
        file(Use.READ, "/srv/b");
        file(Use.LIST, "/srv");
        assertThat(lines()).contains("    - /srv/a  # p reads /srv/a").doesNotContain("    - /srv");
        assertThat(proposal().notes()).singleElement().asString().contains("lists /srv");
    }

    @Test
    void whatIsWrittenIsNotReadableToo() {
        file(Use.READ, "/srv/cache/a");
        file(Use.CHANGE, "/srv/cache");
        assertThat(lines())
                .containsExactly(
                        "remora:",
                        "  sandbox:",
                        "    network: none",
                        "    writable:",
                        "    - /srv/cache  # p makes or removes files in /srv/cache, p reads /srv/cache/a");
    }

    @Test
    void writingIntoTheSystemIsWritableThoughReadingIsGranted() {
        file(Use.WRITE, "/usr/share/cache");
        assertThat(lines()).contains("    - /usr/share/cache  # p writes /usr/share/cache");
    }

    @Test
    void proposesTmpWithAdvice() {
        file(Use.CHANGE, "/tmp");
        assertThat(lines()).contains("    - /tmp  # p makes or removes files in /tmp");
        assertThat(proposal().notes()).singleElement().asString().contains("$TMPDIR");
    }

    @Test
    void anIpSocketNeedsTheNetwork() {
        seen.add(new Access.Socket(Access.Socket.INET6, "p"));
        seen.add(new Access.Peer("[::1]:53", false, true, "p"));
        assertThat(lines()).contains("    network: any  # p makes an IP socket, p addresses [::1]:53");
    }

    @Test
    void aUnixSocketThatLeadsNowhereIsNoNeed() {
        seen.add(new Access.Socket(Access.Socket.UNIX, "p"));
        seen.add(new Access.Peer("/var/run/nscd/socket", true, false, "p"));
        assertThat(lines()).containsExactly("remora:", "  sandbox:", "    network: none");
        seen.add(new Access.Peer("/run/agent", true, true, "p"));
        assertThat(lines()).contains("    unixSockets: true  # p addresses /run/agent");
    }

    @Test
    void saysWhatNoSandboxAllows() {
        seen.add(new Access.Forbidden(Syscall.UNSHARE, "bwrap"));
        seen.add(new Access.Peer("@bus", true, true, "p"));
        assertThat(proposal().notes()).hasSize(2).anyMatch(note -> note.startsWith("bwrap calls unshare"));
    }

    @Test
    void quotesWhatYamlWouldReadOtherwise() {
        file(Use.READ, "/srv/it's: #1");
        assertThat(lines()).contains("    - '/srv/it''s: #1'  # p reads /srv/it's: #1");
    }

    private void file(Use use, String path) {
        file(use, path, path);
    }

    private void file(Use use, String asked, String real) {
        seen.add(new Access.File(use, Bytes.utf8(asked), Bytes.utf8(real), "p"));
    }

    private List<String> lines() {
        return proposal().yaml();
    }

    private SandboxProposal proposal() {
        return new SandboxProposal(
                seen, GRANTED, path -> Bytes.utf8(links.getOrDefault(path.toString(), path.toString())));
    }
}
