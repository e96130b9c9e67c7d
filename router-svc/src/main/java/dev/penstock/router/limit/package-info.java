/** What this router may admit of each model: its shares of the rate limits. */
@NullMarked
package dev.penstock.router.limit;

import org.jspecify.annotations.NullMarked;
