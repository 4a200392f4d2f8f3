/// What the kernel can forbid a thread and all it starts, through the foreign-function API: a [Fence] goes in, a
/// restricted thread comes out ([Sandbox]); [KernelSupport] says what this kernel gives, tried.
@NullMarked
package dev.remora.sandbox;

import org.jspecify.annotations.NullMarked;
