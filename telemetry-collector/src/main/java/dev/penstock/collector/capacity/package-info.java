/**
 * What replicas can do, learned from the work that scrapes saw them do. Rules of learning are routing-core's; nothing here
 * is kept on a disk: what was learned is read back from the telemetry topic.
 */
@NullMarked
package dev.penstock.collector.capacity;

import org.jspecify.annotations.NullMarked;
