/**
 * Which path does what on both engines alike. The paths that only one of them has are in its own front end.
 */
@NullMarked
package dev.penstock.enginesim.api;

import org.jspecify.annotations.NullMarked;
