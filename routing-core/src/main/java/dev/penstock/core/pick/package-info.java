/** The decision: who may take a request, and who does. Pure; fills a buffer of the caller. */
@NullMarked
package dev.penstock.core.pick;

import org.jspecify.annotations.NullMarked;
