/** How many retries a model's requests may cost. Pure: what is retried, and where, is the router's to know. */
@NullMarked
package dev.penstock.core.retry;

import org.jspecify.annotations.NullMarked;
