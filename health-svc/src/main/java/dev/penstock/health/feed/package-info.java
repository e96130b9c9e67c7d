/**
 * From records of topics to evidence. Decoding and epochs live here, conclusions do not.
 */
@NullMarked
package dev.penstock.health.feed;

import org.jspecify.annotations.NullMarked;
