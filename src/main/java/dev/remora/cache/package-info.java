/// What is kept of earlier calls, by digest, in memory or encrypted in a folder: answers, verdicts, and which files a
/// command read. In: a digest of everything that an answer depends on. Out: the answer, or why there is none.
@NullMarked
package dev.remora.cache;

import org.jspecify.annotations.NullMarked;
