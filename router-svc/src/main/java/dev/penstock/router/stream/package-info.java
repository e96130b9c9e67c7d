/** Reads along with an engine's answer and says how it went. Never changes a byte, and knows no connection. */
@NullMarked
package dev.penstock.router.stream;

import org.jspecify.annotations.NullMarked;
