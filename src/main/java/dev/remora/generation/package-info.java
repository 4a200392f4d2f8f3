/// What a definition means for a folder: manifests and parameter announcements.
@NullMarked
package dev.remora.generation;

import org.jspecify.annotations.NullMarked;
