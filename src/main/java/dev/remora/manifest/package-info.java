/// Kubernetes objects as text: split from output, checked, masked, printed.
@NullMarked
package dev.remora.manifest;

import org.jspecify.annotations.NullMarked;
