/// What tests share: conditions for tools, rights and kernel features, and where the tools are.
@NullMarked
package dev.remora.testing;

import org.jspecify.annotations.NullMarked;
