/**
 * Simulated fleets on a virtual clock: real classes of routing-core, fakes for engines, network and clients only. Reading
 * order: {@link dev.penstock.fleetsim.FleetSim} (the way in), {@code Scenarios}, {@code Fleet} (one run), {@code SimRouter}.
 * No thread, socket or wall clock may live here: the same seed gives the same figures.
 */
@NullMarked
package dev.penstock.fleetsim;

import org.jspecify.annotations.NullMarked;
