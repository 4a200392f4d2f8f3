/// Argo CD's Application as far as a plugin sees it: build environment and parameters.
@NullMarked
package dev.remora.application;

import org.jspecify.annotations.NullMarked;
