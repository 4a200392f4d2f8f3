package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// docs/spec/git.md, "URLs".
class RepositoryUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--upload-pack=touch /tmp/x",
                "-u",
                "ext::sh -c id",
                "fd::17",
                "testgit::/srv/x",
                "git://host/repo",
                "ftp://host/repo",
                "relative/path",
                "https://-oProxyCommand=id/x",
                "ssh://-oProxyCommand=id/x",
                "-oProxyCommand=id:x",
                "git@-oProxyCommand=id:x",
                "-l@host:x",
                "git@host:--upload-pack=id",
                "ssh://-lroot@host/x",
                "https://host/a\nhost=evil",
                "https://host/a\u0000b",
                "file://other/srv/x",
                "file://relative",
                "https:///x",
                "",
                "  "
            })
    void refusesWhatGitWouldTakeForSomethingElse(String url) {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> RepositoryUrl.of(url))
                .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.GIT_URL));
    }

    @ParameterizedTest
    @CsvSource({
        "https://host/team/repo.git, HTTPS, host",
        "https://host:8443/team/repo, HTTPS, host:8443",
        "http://127.0.0.1:8080/r, HTTP, 127.0.0.1:8080",
        "https://my_host/r, HTTPS, my_host",
        "git@host:team/repo.git, SSH, host",
        "git@[::1]:repo, SSH, [::1]",
        "ssh://git@host:2222/repo, SSH, host",
        "org-1234@github.com:org/repo, SSH, github.com",
        "file:///srv/repo.git, FILE, ''",
        "/srv/repo.git, FILE, ''",
        "https://host/repo with blank, HTTPS, host",
    })
    void knowsTheFourKinds(String url, RepositoryUrl.Kind kind, String host) {
        RepositoryUrl read = RepositoryUrl.of(url);

        assertThat(read.kind()).isEqualTo(kind);
        assertThat(read.host()).isEqualTo(host);
        assertThat(read.address()).isEqualTo(url);
    }

    @ParameterizedTest
    @CsvSource({
        "https://Host/Repo.git, https://host/repo",
        "git@host:team/repo.git, ssh://git@host/team/repo",
        "' https://host/repo ', https://host/repo",
    })
    void comparesAsArgoCdDoes(String one, String other) {
        assertThat(RepositoryUrl.of(one)).isEqualTo(RepositoryUrl.of(other));
    }

    @Test
    void comparesAPortAsArgoCdDoes() {
        assertThat(RepositoryUrl.of("ssh://git@host:22/r")).isNotEqualTo(RepositoryUrl.of("git@host:r"));
    }

    @Test
    void takesALoginOutOfTheUrl() {
        RepositoryUrl url = RepositoryUrl.of("https://me:p%40ss+word@host/repo");

        assertThat(url.address()).isEqualTo("https://host/repo");
        assertThat(url.toString()).doesNotContain("p%40ss").doesNotContain("me");
        assertThat(url.login().orElseThrow().user()).isEqualTo("me");
        assertThat(url.login().orElseThrow().password().reveal()).isEqualTo("p@ss+word");
    }

    @Test
    void showsNoLoginOfAUrlThatIsRefused() {
        assertThatExceptionOfType(Fault.class)
                .isThrownBy(() -> RepositoryUrl.of("ftp://me:hidden@host/repo"))
                .satisfies(fault -> assertThat(fault.getMessage()).doesNotContain("hidden"));
    }
}
