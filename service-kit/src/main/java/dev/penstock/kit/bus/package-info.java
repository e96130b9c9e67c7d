/** Kafka as Penstock uses it: streams that never wait, facts that are kept, subscriptions without groups. No message formats. */
@NullMarked
package dev.penstock.kit.bus;

import org.jspecify.annotations.NullMarked;
