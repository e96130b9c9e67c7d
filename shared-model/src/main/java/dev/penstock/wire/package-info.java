/** Protobuf codecs of the records in {@code dev.penstock.model}. Nothing decides here; routing-core may not see it. */
@NullMarked
package dev.penstock.wire;

import org.jspecify.annotations.NullMarked;
