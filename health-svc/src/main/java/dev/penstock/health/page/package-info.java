/**
 * The debug page.
 */
@NullMarked
package dev.penstock.health.page;

import org.jspecify.annotations.NullMarked;
