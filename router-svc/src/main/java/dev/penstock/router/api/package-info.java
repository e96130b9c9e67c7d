/** What the router's API is: its endpoints, and how each words an error. Knows HTTP, and no replica. */
@NullMarked
package dev.penstock.router.api;

import org.jspecify.annotations.NullMarked;
