/** The fleet as a router sees it: an immutable roster image, and a numeric cell per replica that outlives images. No clock, no I/O. */
@NullMarked
package dev.penstock.core.view;

import org.jspecify.annotations.NullMarked;
