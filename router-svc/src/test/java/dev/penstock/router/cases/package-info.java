/**
 * Faults that routers like this one were seen to have, one class each, against the real router between a raw client and
 * replicas that misbehave to the byte. {@code docs/cases.md} lists them; a test here says what must hold, never how.
 */
@NullMarked
package dev.penstock.router.cases;

import org.jspecify.annotations.NullMarked;
