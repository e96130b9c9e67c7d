/** From routers' demand to replicas: demand, plan and what may be served of it. No clock, no I/O. */
@NullMarked
package dev.penstock.core.scale;

import org.jspecify.annotations.NullMarked;
