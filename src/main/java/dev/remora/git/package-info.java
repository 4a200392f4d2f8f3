/// Git repositories, revisions and trees by the `git` program, and the credentials that reach it. In: a repository's
/// URL and a revision as an Application names them. Out: a commit, and its tree laid out in a folder.
@NullMarked
package dev.remora.git;

import org.jspecify.annotations.NullMarked;
