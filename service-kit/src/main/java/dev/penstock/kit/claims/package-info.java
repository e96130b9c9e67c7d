/** Who owns a single-writer role: claims in Kafka, no locks. */
@NullMarked
package dev.penstock.kit.claims;

import org.jspecify.annotations.NullMarked;
