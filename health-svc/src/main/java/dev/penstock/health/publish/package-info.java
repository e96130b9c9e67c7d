/**
 * Verdicts on their way to the routers. Judges nothing.
 */
@NullMarked
package dev.penstock.health.publish;

import org.jspecify.annotations.NullMarked;
