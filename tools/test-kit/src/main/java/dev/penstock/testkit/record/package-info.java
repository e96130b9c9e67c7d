/** Builders of what the services tell each other, with defaults for all that a test does not care about. */
@NullMarked
package dev.penstock.testkit.record;

import org.jspecify.annotations.NullMarked;
