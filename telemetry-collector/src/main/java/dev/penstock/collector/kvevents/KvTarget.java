package dev.penstock.collector.kvevents;

import dev.penstock.collector.discovery.DiscoveredReplica.KvSource;
import dev.penstock.core.kvevents.Vocabulary;

/**
 * A replica whose events are wanted. One with another incarnation, address or vocabulary is another.
 *
 * @param model what clients call the engine's own model
 */
record KvTarget(int number, String uid, String name, String model, KvSource source, Vocabulary vocabulary) {}
