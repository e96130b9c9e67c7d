/** What the rates depend on: which replicas are routable, which routers live. Reads only. */
@NullMarked
package dev.penstock.admission.fleet;

import org.jspecify.annotations.NullMarked;
