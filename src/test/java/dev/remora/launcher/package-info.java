/// The launcher in a checkout and the packaged folder, run as users run them.
@NullMarked
package dev.remora.launcher;

import org.jspecify.annotations.NullMarked;
