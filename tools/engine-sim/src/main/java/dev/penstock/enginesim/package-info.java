/**
 * Simulated engines: fleets of them in one JVM, their faults, and the command that starts them. Reading order:
 * {@link dev.penstock.enginesim.EngineFleet}, {@code EngineWiring} (the parts list of one engine), then the packages
 * below, of which {@code step} is the heart.
 */
@NullMarked
package dev.penstock.enginesim;

import org.jspecify.annotations.NullMarked;
