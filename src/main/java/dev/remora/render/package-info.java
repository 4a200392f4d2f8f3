/// The repository side: one folder rendered by a plugin host, in this process or behind a socket.
@NullMarked
package dev.remora.render;

import org.jspecify.annotations.NullMarked;
