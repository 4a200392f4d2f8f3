/// tar.gz streams: packed from a folder, unpacked into a workspace within limits.
@NullMarked
package dev.remora.archive;

import org.jspecify.annotations.NullMarked;
