/**
 * One-token generations: how they are sent, what their answers mean, whose turn it is. No verdicts.
 */
@NullMarked
package dev.penstock.health.probe;

import org.jspecify.annotations.NullMarked;
