/** Feeds the view: records from Kafka, the roster copy on disk, own connects to quarantined replicas. */
@NullMarked
package dev.penstock.router.fleet;

import org.jspecify.annotations.NullMarked;
