/**
 * What engines tell of their KV caches, turned into hashes of the canonical prompt. No sockets, no parsing.
 */
@NullMarked
package dev.penstock.core.kvevents;

import org.jspecify.annotations.NullMarked;
