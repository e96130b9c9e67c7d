/** Pages for people who look into it. No effect on anything. */
@NullMarked
package dev.penstock.admission.page;

import org.jspecify.annotations.NullMarked;
