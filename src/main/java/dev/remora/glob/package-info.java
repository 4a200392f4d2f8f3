/// Go's glob dialects: `path/filepath` and zglob. In: a pattern and a tree. Out: what matches, or why the pattern is
/// bad.
@NullMarked
package dev.remora.glob;

import org.jspecify.annotations.NullMarked;
