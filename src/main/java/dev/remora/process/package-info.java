/// One external command, and everything one render started: run, limited in time and size, ended, reaped.
@NullMarked
package dev.remora.process;

import org.jspecify.annotations.NullMarked;
