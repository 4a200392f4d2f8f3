/// A request's own folder: made under a root that belongs to one server, removed on every way out.
@NullMarked
package dev.remora.workspace;

import org.jspecify.annotations.NullMarked;
