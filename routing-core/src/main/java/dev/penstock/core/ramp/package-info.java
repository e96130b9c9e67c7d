/** How a replica that is new, or on its way back, is given its share little by little. */
@NullMarked
package dev.penstock.core.ramp;

import org.jspecify.annotations.NullMarked;
