/** The whole suite in one JVM, for a laptop without a GPU: real broker, real Redis, the services' own wiring. */
@NullMarked
package dev.penstock.localstack;

import org.jspecify.annotations.NullMarked;
