/**
 * Engines' KV events: from ZeroMQ sockets to hashes on the bus. Where the sockets are is discovery's to say, what the events
 * mean is the core's.
 */
@NullMarked
package dev.penstock.collector.kvevents;

import org.jspecify.annotations.NullMarked;
