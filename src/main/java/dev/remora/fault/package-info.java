/// Why we refuse: one exception with a code, every code of one kind, one table from kinds to exit codes.
@NullMarked
package dev.remora.fault;

import org.jspecify.annotations.NullMarked;
