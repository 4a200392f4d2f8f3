/// plugin.yaml: read with every fault at once, as Argo CD reads it, and the remora block.
@NullMarked
package dev.remora.plugin;

import org.jspecify.annotations.NullMarked;
