/// Whether a plugin wants a folder, judged on a folder or on the names of a passing archive.
@NullMarked
package dev.remora.discovery;

import org.jspecify.annotations.NullMarked;
