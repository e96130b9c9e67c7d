/** The keys of structured log lines. */
@NullMarked
package dev.penstock.kit.log;

import org.jspecify.annotations.NullMarked;
