/// Go's glob dialects: `path/filepath`, zglob and doublestar. In: a pattern and a tree. Out: what matches, or why the
/// pattern is
/// bad.
@NullMarked
package dev.remora.glob;

import org.jspecify.annotations.NullMarked;
