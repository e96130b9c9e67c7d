/** One attempt at one engine: send, relay byte by byte, settle once. */
@NullMarked
package dev.penstock.router.relay;

import org.jspecify.annotations.NullMarked;
