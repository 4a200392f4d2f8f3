/// What the kernel can forbid a thread and all it starts: Landlock through the foreign-function API.
@NullMarked
package dev.remora.sandbox;

import org.jspecify.annotations.NullMarked;
