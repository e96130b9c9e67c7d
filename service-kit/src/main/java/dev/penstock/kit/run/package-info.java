/** Starting, timing and stopping a service. No service logic. */
@NullMarked
package dev.penstock.kit.run;

import org.jspecify.annotations.NullMarked;
