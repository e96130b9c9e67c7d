/**
 * A real Kafka broker and a real Redis for tests and for the local stack, and the proxy that breaks the wire in front of
 * them. No topic names and no Penstock records: who uses it creates what it needs.
 */
@NullMarked
package dev.penstock.testkit.infra;

import org.jspecify.annotations.NullMarked;
