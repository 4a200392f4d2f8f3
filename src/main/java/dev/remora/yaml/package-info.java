/// YAML 1.1 as Kubernetes reads it, with line numbers and limits, and JSON text as Go writes it.
@NullMarked
package dev.remora.yaml;

import org.jspecify.annotations.NullMarked;
