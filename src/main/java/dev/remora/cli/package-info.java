/// Commands and wiring: options become records, records become work, faults become exit codes.
@NullMarked
package dev.remora.cli;

import org.jspecify.annotations.NullMarked;
