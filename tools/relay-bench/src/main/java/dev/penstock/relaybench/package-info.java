/**
 * What relaying costs, measured from outside: contenders as processes on one core, load and engines on the others. Nothing
 * of the router but its main class, its settings and its ports is known here.
 */
@NullMarked
package dev.penstock.relaybench;

import org.jspecify.annotations.NullMarked;
