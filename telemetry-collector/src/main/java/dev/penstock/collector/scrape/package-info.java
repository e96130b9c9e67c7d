/**
 * From an engine's metrics page to a sample with an honest age. Nothing here knows Kafka.
 */
@NullMarked
package dev.penstock.collector.scrape;

import org.jspecify.annotations.NullMarked;
