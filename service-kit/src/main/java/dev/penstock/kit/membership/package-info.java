/** Who of a service is alive, by heartbeats in Redis. No ownership rules. */
@NullMarked
package dev.penstock.kit.membership;

import org.jspecify.annotations.NullMarked;
