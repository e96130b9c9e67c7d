/** Who holds slots and who owns them, as Kafka tells: registrations, deaths, claims. What follows from that is routing-core's. */
@NullMarked
package dev.penstock.kit.registry;

import org.jspecify.annotations.NullMarked;
