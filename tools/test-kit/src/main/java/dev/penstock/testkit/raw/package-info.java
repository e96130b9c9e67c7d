/**
 * Both ends of an HTTP/1.1 connection as plain sockets that send exactly what a test says: a replica that can misbehave
 * and a client that reports what came back, when, and how it ended. No HTTP library, and no opinion on what is right.
 */
@NullMarked
package dev.penstock.testkit.raw;

import org.jspecify.annotations.NullMarked;
