/// SHA-256, by which archives, trees, definitions and answers are known.
@NullMarked
package dev.remora.digest;

import org.jspecify.annotations.NullMarked;
