/**
 * health-svc: its main, its parts list and its lifecycle. Logic lives in the packages below and in core.health.
 */
@NullMarked
package dev.penstock.health;

import org.jspecify.annotations.NullMarked;
