package dev.remora.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remora.process.Cancellation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecycledTreesTest {
    @TempDir
    Path temporary;

    private final Cancellation none = new Cancellation();

    @Test
    void lendsOneFolderToAllWhoWantOneRevision() throws IOException {
        SourceRepository source = source();
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees trees = trees();
                RecycledTrees.Lent first = trees.lend(run.tree(source.url(), "main"), none);
                RecycledTrees.Lent second = trees.lend(run.tree(source.url(), "main"), none)) {
            assertThat(second.folder()).isEqualTo(first.folder());
            assertThat(first.folder().resolve("a.txt")).hasContent("one");
            assertThat(first.laidOut().files()).isEqualTo(2);
        }
    }

    @Test
    void usesTheFolderAgainForAnotherRevisionOnceNobodyReadsIt() throws IOException {
        SourceRepository source = source();
        String old = source.head().hex();
        source.write("a.txt", "two").commit("second");
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees trees = trees()) {
            RecycledTrees.Lent first = trees.lend(run.tree(source.url(), old), none);
            Path folder = first.folder();
            Object untouched = inode(folder.resolve("b.txt"));
            RecycledTrees.Lent beside = trees.lend(run.tree(source.url(), "main"), none);
            assertThat(beside.folder()).isNotEqualTo(folder);
            assertThat(folder.resolve("a.txt")).hasContent("one");
            beside.close();
            first.close();
            source.write("a.txt", "three").commit("third");
            try (GitRun later = GitRun.in(temporary);
                    RecycledTrees.Lent third = trees.lend(later.tree(source.url(), "main"), none)) {
                assertThat(third.folder().resolve("a.txt")).hasContent("three");
                assertThat(List.of(folder, beside.folder())).contains(third.folder());
                assertThat(inode(folder.resolve("b.txt"))).isEqualTo(untouched);
            }
        }
    }

    @Test
    void givesTheNextProcessTheFolderThatHoldsItsRevision() throws IOException {
        SourceRepository source = source();
        Object before;
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees trees = trees();
                RecycledTrees.Lent lent = trees.lend(run.tree(source.url(), "main"), none)) {
            before = inode(lent.folder().resolve("a.txt"));
        }
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees trees = trees();
                RecycledTrees.Lent lent = trees.lend(run.tree(source.url(), "main"), none)) {
            assertThat(inode(lent.folder().resolve("a.txt"))).isEqualTo(before);
        }
    }

    @Test
    void leavesAFolderAloneThatAnotherRunUses() {
        SourceRepository source = source();
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees mine = trees();
                RecycledTrees theirs = trees();
                RecycledTrees.Lent first = mine.lend(run.tree(source.url(), "main"), none);
                RecycledTrees.Lent second = theirs.lend(run.tree(source.url(), "main"), none)) {
            assertThat(second.folder()).isNotEqualTo(first.folder());
        }
    }

    @Test
    void mendsWhatSomebodyDidToAFolderBetweenRuns() throws IOException {
        SourceRepository source = source();
        Path folder;
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees trees = trees();
                RecycledTrees.Lent lent = trees.lend(run.tree(source.url(), "main"), none)) {
            folder = lent.folder();
        }
        Files.writeString(folder.resolve("a.txt"), "forged");
        Files.writeString(folder.resolve("added"), "x");
        Files.delete(folder.resolve("b.txt"));
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees trees = trees();
                RecycledTrees.Lent lent = trees.lend(run.tree(source.url(), "main"), none)) {
            assertThat(GitRun.contents(lent.folder()))
                    .containsOnlyKeys("", "a.txt", "b.txt")
                    .containsEntry("a.txt", "644 one");
        }
    }

    @Test
    void removesFoldersBeyondItsBoundOnceNobodyUsesThem() throws IOException {
        SourceRepository source = source();
        try (GitRun run = GitRun.in(temporary);
                RecycledTrees small = new RecycledTrees(temporary.resolve("trees"), 3)) {
            small.lend(run.tree(source.url(), "main"), none).close();
        }
        try (Stream<Path> left = Files.walk(temporary.resolve("trees"))) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void tellsWhatOfALocalFolderIsNotCommitted() {
        SourceRepository source = source();
        source.write("a.txt", "changed").write("new.txt", "n");
        try (GitRun run = GitRun.in(
                temporary,
                options -> options.withFolders(
                        java.util.Map.of(RepositoryUrl.of("https://git.example.com/a"), source.folder())))) {
            RevisionTree tree = run.tree("https://git.example.com/a", "main");
            assertThat(tree.changed(none)).extracting(Object::toString).containsExactly("a.txt", "new.txt");
            assertThat(run.tree(source.url(), "main").changed(none)).isEmpty();
        }
    }

    @Test
    void worksOfflineWithWhatWasFetchedBefore() {
        SourceRepository source = source();
        try (GitRun run = GitRun.in(temporary)) {
            run.layOut(source.url(), "main");
        }
        source.git("branch", "later");
        try (GitRun run = GitRun.in(temporary, GitOptions::withoutServers)) {
            assertThat(run.tree(source.url(), "main").commit()).contains(source.head());
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> run.tree(source.url(), "later")))
                    .hasMessageContaining("later");
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> run.tree(source.url() + "x", "main")))
                    .hasMessageContaining("--offline");
        }
    }

    private SourceRepository source() {
        SourceRepository source = SourceRepository.in(temporary.resolve("source"));
        source.write("a.txt", "one").write("b.txt", "b").commit("first");
        return source;
    }

    private RecycledTrees trees() {
        return new RecycledTrees(temporary.resolve("trees"), RecycledTrees.MOST_BYTES);
    }

    private static Object inode(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }
}
