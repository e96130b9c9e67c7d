/** The vocabulary of Penstock: records, closed choices, topic specs and key names. No framework, no I/O. */
@NullMarked
package dev.penstock.model;

import org.jspecify.annotations.NullMarked;
