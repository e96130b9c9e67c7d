/**
 * What a connection that a service accepts goes through before its first request is known. Nothing in here knows of requests
 * beyond their head, and nothing is left of it in a connection that has had its first.
 */
@NullMarked
package dev.penstock.kit.listen;

import org.jspecify.annotations.NullMarked;
